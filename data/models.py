"""The catalogue of models that qkgram can fetch: `models.toml`, read into records."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Literal

from pydantic import Field

from data.paths import cache_home
from signatures.errors import ModelNotFound
from signatures.schema import Record


class ModelFile(Record):
    """One file of a model."""

    path: str
    """Relative to the model's folder, and to the root of its hub repository."""
    size: int = Field(gt=0)
    """Bytes."""
    sha256: str = Field(pattern="^[0-9a-f]{64}$")


class Mirror(Record):
    """The pip packages that carry the same bytes."""

    package: str
    """Name of the package; `{part}` stands for the number of the part, from 1."""
    version: str
    parts: int | None = None
    """The model's one file is the `.bin` members of so many packages, in order."""
    folder: str | None = None
    """Or: its files lie in this folder of the one package."""

    @property
    def packages(self) -> tuple[str, ...]:
        """Names of the packages, in order.

        >>> Mirror(package="model-part{part}", version="1.0", parts=2).packages
        ('model-part1', 'model-part2')
        """
        numbers = range(1, (self.parts or 1) + 1)
        return tuple(self.package.replace("{part}", str(number)) for number in numbers)


class CatalogueModel(Record):
    """A model that qkgram can fetch, pinned by the SHA-256 of each file."""

    name: str
    kind: Literal["language model", "sentence encoder"]
    about: str
    """One line for a person who chooses."""
    repository: str
    """Owner and name on the hub."""
    revision: str
    licence: str
    files: tuple[ModelFile, ...] = Field(min_length=1)
    """The first one holds the weights."""
    mirror: Mirror

    @property
    def size(self) -> int:
        """Bytes of all files."""
        return sum(file.size for file in self.files)

    @property
    def sha256(self) -> str:
        """Hash of the weights."""
        return self.files[0].sha256

    @property
    def folder(self) -> Path:
        """Where the model lies once it is fetched."""
        return cache_home() / "models" / self.name


@cache
def catalogue() -> Mapping[str, CatalogueModel]:
    """Return every model of the catalogue by its name.

    >>> [model.licence for model in catalogue().values()]
    ['Apache-2.0', 'Apache-2.0', 'Apache-2.0']
    """
    table = tomllib.loads(Path(__file__).with_name("models.toml").read_text(encoding="utf-8"))
    models = [CatalogueModel.model_validate(entry) for entry in table["model"]]
    return MappingProxyType({model.name: model for model in models})


def catalogue_model(name: str) -> CatalogueModel:
    """Return the model of this name.

    Raises:
        ModelNotFound: There is none; the message lists the names.
    """
    model = catalogue().get(name)
    if model is None:
        raise ModelNotFound(
            f"the catalogue has no model {name!r}; it has {', '.join(sorted(catalogue()))}"
        )
    return model
