"""What an ablation study found: one record per variant, the full program first."""

from __future__ import annotations

from pydantic import JsonValue, computed_field

from optimize.comparing import Comparison
from optimize.summary import Summary
from signatures.schema import Record


class VariantResult(Record):
    """One variant as it stands on disk."""

    name: str
    changes: dict[str, JsonValue]
    """Dotted setting to value, against the settings of the call."""
    source: str
    """Where the paper reports it, or `ours`; empty for the full program."""
    same_as: str | None = None
    """Variant with the same settings, whose run this is."""
    summary: Summary | None = None
    """`None`: no question was begun."""
    comparison: Comparison | None = None
    """A is the full program, B this variant; `None` when either is incomplete, and for the full."""

    @property
    def complete(self) -> bool:
        """True when every question has a row."""
        return self.summary is not None and not self.summary.incomplete

    @computed_field  # type: ignore[prop-decorator]
    @property
    def state(self) -> str:
        """`complete`, or how much is left."""
        if self.summary is None:
            return "not begun"
        left = self.summary.planned - self.summary.done
        return f"INCOMPLETE: {left} of {self.summary.planned} not run" if left else "complete"


class StudyReport(Record):
    """A study in numbers."""

    study: str
    program: str
    preset: str | None
    """Preset of the settings and what stands otherwise than in it."""
    folder: str
    stopped: str | None
    """Why the call ended before the last variant; `None` when it did not."""
    variants: tuple[VariantResult, ...]
    """The full program first."""
    notes: tuple[str, ...] = ()

    @property
    def incomplete(self) -> bool:
        """True when a question of a variant has no row."""
        return not all(variant.complete for variant in self.variants)

    def named(self, name: str) -> VariantResult | None:
        """Return the variant of this name, `None` when the study was not asked for it."""
        return next((variant for variant in self.variants if variant.name == name), None)
