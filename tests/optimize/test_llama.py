from __future__ import annotations

from pathlib import Path
from typing import Literal

import dspy
import pytest
from dspy.utils.exceptions import ContextWindowExceededError

from data.models import CatalogueModel, catalogue_model
from optimize.adapter import QkgramAdapter
from optimize.engine import MeteredEngine
from optimize.llama import LlamaBackend, shared_llama
from optimize.meter import Meter
from optimize.model_spec import ModelSpec
from optimize.role_lm import RoleLM
from signatures.errors import ModelCallError


class Colour(dspy.Signature):
    """Say which colour the thing has."""

    thing: str = dspy.InputField()
    colour: Literal["red", "green", "blue"] = dspy.OutputField()


def local(backend: LlamaBackend, meter: Meter) -> RoleLM:
    engine = MeteredEngine(backend, spec=ModelSpec(), role="reasoner", meter=meter)
    return RoleLM("local/small", engine=engine, cache=False, temperature=0.0, max_tokens=32)


@pytest.fixture(scope="module")
def backend() -> LlamaBackend:
    """The smaller catalogue model; the tests are skipped where it was not fetched."""
    small: CatalogueModel = catalogue_model("qwen2.5-coder-0.5b")
    file = small.folder / small.files[0].path
    if not file.is_file():
        pytest.skip("run `qkgram models fetch qwen2.5-coder-0.5b` for these tests")
    return LlamaBackend(file, context_length=512, threads=2)


def test_the_reply_obeys_the_signature_in_silence(
    backend: LlamaBackend, capfd: pytest.CaptureFixture[str]
) -> None:
    meter = Meter()
    with dspy.context(lm=local(backend, meter), adapter=QkgramAdapter(reasks=0)):
        said = dspy.Predict(Colour)(thing="a leaf in summer")
    assert said.colour in ("red", "green", "blue")
    assert (meter.usage().calls, meter.usage().cost) == (1, 0.0)
    assert meter.usage().completion_tokens > 0
    assert capfd.readouterr() == ("", "")


def test_json_is_written_without_line_breaks(backend: LlamaBackend) -> None:
    lm = local(backend, Meter())
    with dspy.context(lm=lm, adapter=QkgramAdapter(reasks=0)):
        dspy.Predict(Colour)(thing="a leaf in summer")
    assert lm.history[-1]["outputs"][0].startswith('{"colour":"')


class List(dspy.Signature):
    """List nothing."""

    note: str = dspy.InputField()
    things: list[Literal["a", "b"]] = dspy.OutputField(desc="none", min_length=1)


def test_a_list_that_must_not_be_empty_is_not(backend: LlamaBackend) -> None:
    with dspy.context(lm=local(backend, Meter()), adapter=QkgramAdapter(reasks=0)):
        assert dspy.Predict(List)(note="There is nothing to list.").things


def test_a_prompt_longer_than_the_context_is_dspys_error(backend: LlamaBackend) -> None:
    with pytest.raises(ContextWindowExceededError, match="show fewer facts"):
        local(backend, Meter())("word " * 2000)


def test_a_broken_file_is_one_line(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    broken = tmp_path / "broken.gguf"
    broken.write_bytes(b"GGUF" + bytes(100))
    with pytest.raises(ModelCallError, match="cannot load .*broken.gguf"):
        local(LlamaBackend(broken), Meter())("hi")
    assert capfd.readouterr().out == ""


def test_one_backend_per_file_and_copies_share_it(tmp_path: Path) -> None:
    first = shared_llama(tmp_path / "a.gguf", context_length=8192, threads=None)
    assert shared_llama(tmp_path / "a.gguf", context_length=8192, threads=None) is first
    program = dspy.Predict(Colour)
    program.set_lm(local(first, Meter()))
    assert program.deepcopy().lm.engine.backend is first
