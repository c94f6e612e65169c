"""The ablation studies as data: a variant is a name and the settings it changes.

The full program is the settings of the call, preset included. A variant that changes nothing of
them (`H=3` by default) is the full program and is not run twice.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import NamedTuple

from pydantic import JsonValue

from optimize.suggestions import did_you_mean
from signatures.errors import InputError

FULL = "full"
"""Name of the unchanged program."""


class Variant(NamedTuple):
    """One condition of a study."""

    name: str
    """Also the folder of its run."""
    changes: Mapping[str, JsonValue]
    """Dotted setting to value."""
    source: str
    """Where the paper reports it, or `ours`."""
    programs: frozenset[str]
    """Programs that it changes."""


_REGIONS = frozenset({"regram", "qkgram"})
_REVIEWED = frozenset({"regram", "kgarevion"})
_PATIENTS = frozenset({"qkg", "qkgram"})
_QKG = frozenset({"qkg"})

_NO_PRIOR: Mapping[str, JsonValue] = {"region.use_domain": False}
_NO_MULTIHOP: Mapping[str, JsonValue] = {"program.use_decomposition": False}

_REGRAM = (
    Variant("no-domain-prior", _NO_PRIOR, "ReGraM table 4", _REGIONS),
    Variant("no-multihop", _NO_MULTIHOP, "ReGraM table 4", _REGIONS),
    Variant("no-prior-no-multihop", {**_NO_PRIOR, **_NO_MULTIHOP}, "ReGraM table 14", _REGIONS),
    Variant("no-region-selector", {"region.use_selector": False}, "ReGraM table 11", _REGIONS),
    Variant("no-mmr", {"region.use_mmr": False}, "ReGraM table 9", _REGIONS),
    Variant("no-reviewer", {"program.reviewer": "none"}, "ReGraM table 6", _REVIEWED),
)

_CONTEXT = (
    Variant("no-validator", {"program.validator": "none"}, "QKG §4.3", _QKG),
    Variant("no-context", {"program.use_context": False}, "QKG §4.3", _PATIENTS),
    Variant("direct-validator", {"program.validator": "direct"}, "ours", _QKG),
    Variant("agent-validator", {"program.validator": "agent"}, "QKG §3.2", _QKG),
    Variant("patient-ignored", {"program.validity": "mu"}, "QKG §1", _PATIENTS),
    Variant("unmet-downweighted", {"program.unmet": "downweight"}, "QKG §3.2", _PATIENTS),
    Variant("constraints-shuffled", {"program.shuffle": 0}, "ours: a control", _PATIENTS),
)


def _sweep(letter: str, setting: str, values: Iterable[float], source: str) -> tuple[Variant, ...]:
    return tuple(Variant(f"{letter}={v}", {setting: v}, source, _REGIONS) for v in values)


STUDIES: Mapping[str, tuple[Variant, ...]] = MappingProxyType(
    {
        "regram": _REGRAM,
        "hops": _sweep("H", "program.max_hops", (1, 3, 5, 7, 10), "ReGraM table 10"),
        "k": _sweep("K", "region.k", (5, 10, 15, 20, 30), "ours"),
        "lambda": _sweep("lambda", "region.trade_off", (0.3, 0.5, 0.7, 0.9, 1.0), "ours"),
        "qkg": _CONTEXT,
    }
)
"""Study to its variants, the full program left out."""

GRID = (
    ("domain prior", FULL, "no-multihop"),
    ("no domain prior", "no-domain-prior", "no-prior-no-multihop"),
)
"""ReGraM table 14: with and without the prior, each with and without multi-hop reasoning."""


def study_variants(study: str, program: str, *, only: Iterable[str] = ()) -> tuple[Variant, ...]:
    """Return the full program and the variants of a study that change this program.

    >>> [v.name for v in study_variants("hops", "regram", only=["H=1", "H=5"])]
    ['full', 'H=1', 'H=5']

    Raises:
        InputError: The study or a variant is unknown, or the study changes nothing of the program.
    """
    if study not in STUDIES:
        raise InputError(f"study {study!r} is unknown; {did_you_mean(study, STUDIES)}")
    fitting = [variant for variant in STUDIES[study] if program in variant.programs]
    if not fitting:
        fit = sorted({name for variant in STUDIES[study] for name in variant.programs})
        raise InputError(f"study {study!r} is of {', '.join(fit)}; it changes nothing of {program}")
    wanted = tuple(only)
    for name in wanted:
        if name not in {FULL, *(variant.name for variant in fitting)}:
            known = did_you_mean(name, [variant.name for variant in fitting])
            raise InputError(f"study {study!r} of {program} has no variant {name!r}; {known}")
    chosen = [variant for variant in fitting if not wanted or variant.name in wanted]
    return (Variant(FULL, {}, "", frozenset({program})), *chosen)
