"""How to reach one language model: a frozen record, read from `qkgram.toml` or from flags."""

from __future__ import annotations

import re
from typing import Literal
from urllib.parse import urlsplit

from pydantic import Field, field_validator, model_validator

from signatures.schema import Record

Role = Literal["reasoner", "validator", "annotator", "reviewer", "judge", "proposer"]
"""Who asks: a program's steps (the first four), the metrics (judge), the optimizers (proposer)."""

CONNECTION = frozenset(
    {"model", "api_base", "api_key_env", "structured", "tools", "prompt_price", "completion_price"}
)
"""Fields that belong to one model; a role that names another model does not inherit them."""

_REASONING = re.compile(r"(^|/)(o[1345]|gpt-5)(?!.*-chat)")


class ModelSpec(Record):
    """A language model and how it is sampled. It names the key's variable and never holds a key."""

    model: str = Field(
        default="local",
        min_length=1,
        description="`local`, `local:NAME` of the catalogue, or any DSPy/LiteLLM model string; "
        "with `api_base`, the name the server knows",
    )
    api_base: str | None = Field(
        default=None, description="address of an OpenAI-compatible server, usually ending in /v1"
    )
    api_key_env: str | None = Field(
        default=None,
        pattern=r"^[A-Za-z_][A-Za-z0-9_]*$",
        description="name of the environment variable that holds the key",
    )
    temperature: float | None = Field(
        default=None,
        ge=0,
        le=2,
        description="unset: 0, or the provider's own for OpenAI's reasoning models",
    )
    top_p: float | None = Field(default=None, gt=0, le=1, description="unset: the model's own")
    max_tokens: int | None = Field(
        default=None, ge=1, description="completion tokens a call; unset: 512, programs set theirs"
    )
    seed: int | None = Field(default=None, description="sampling seed, where the server takes one")
    timeout: float = Field(default=300, gt=0, description="seconds to wait for one answer")
    retries: int = Field(
        default=3, ge=0, description="further tries after an outage: 1, 2, 4 … seconds apart"
    )
    max_wait: float = Field(
        default=180, ge=0, description="seconds one call may wait for rate limits in all"
    )
    cache: bool = Field(default=True, description="answer equal requests from the cache")
    structured: bool = Field(
        default=True, description="the server at `api_base` enforces a JSON schema"
    )
    tools: bool = Field(default=False, description="the server at `api_base` calls functions")
    prompt_price: float | None = Field(
        default=None, ge=0, description="US dollars per million prompt tokens, if DSPy knows none"
    )
    completion_price: float | None = Field(
        default=None, ge=0, description="US dollars per million completion tokens"
    )
    context_length: int = Field(
        default=8192, ge=512, description="tokens of prompt and answer together (local models)"
    )
    threads: int | None = Field(
        default=None, ge=1, description="threads of a local model; unset: one per core"
    )

    @field_validator("api_base")
    @classmethod
    def _plain_address(cls, value: str | None) -> str | None:
        if value is None:
            return None
        parts = urlsplit(value)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ValueError("expected an address such as http://127.0.0.1:8080/v1")
        if parts.username or parts.password:
            raise ValueError("a key does not belong in the address; name its variable: api_key_env")
        return value.rstrip("/")

    @model_validator(mode="after")
    def _server_needs_a_name(self) -> ModelSpec:
        if self.api_base and self.is_local:
            raise ValueError("api_base needs `model`: the name that the server there knows")
        return self

    @property
    def is_local(self) -> bool:
        """True for an in-process model of the catalogue.

        >>> ModelSpec().is_local, ModelSpec(model="openai/gpt-4o").is_local
        (True, False)
        """
        return self.model == "local" or self.model.startswith("local:")

    @property
    def is_reasoning(self) -> bool:
        """True for OpenAI's reasoning families, which take no temperature and think in tokens.

        >>> [ModelSpec(model=m).is_reasoning for m in ("openai/o3", "gpt-5-mini", "openai/gpt-4o")]
        [True, True, False]
        """
        return _REASONING.search(self.model) is not None

    @property
    def address(self) -> str:
        """Where calls go, for messages: the server's address or the model's name."""
        return self.api_base or f"the provider of {self.model}"
