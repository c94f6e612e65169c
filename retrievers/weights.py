"""w_r: how much a relation matters in a domain (ReGraM §3.2, Table 7 as printed)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from data.relations import relation_info
from signatures.schema import Domain


def relation_weight(relation: str, domain: Domain) -> float:
    """Return the weight of a relation in a domain; 1.0 for a relation outside the table.

    >>> relation_weight("drug_protein", "DRUG_THERAPY")
    1.5
    """
    return relation_info(relation).weights[domain]


def weight_table(relations: Sequence[str], domain: Domain) -> npt.NDArray[np.float32]:
    """Return the weights of relation codes, shape (number of relations,)."""
    return np.array([relation_weight(name, domain) for name in relations], dtype=np.float32)
