"""A wrong command line: exit code 1 and one line that says what came and what to do next."""

from __future__ import annotations

import pytest

from optimize.cli.entry import run
from optimize.cli.main import app

SAID = {
    "evaluate --spilt": "qkgram evaluate: no option --spilt; did you mean --split? "
    "See qkgram evaluate --help",
    "evaluate --zzzzzz": "qkgram evaluate: no option --zzzzzz; see qkgram evaluate --help",
    "evaluate": "qkgram evaluate: missing argument 'program'; see qkgram evaluate --help",
    "evaluate direct qkg": "qkgram evaluate: got unexpected extra argument(s) (qkg); "
    "see qkgram evaluate --help",
    "evaluate direct --sample": "qkgram evaluate: option '--sample' requires an argument; "
    "see qkgram evaluate --help",
    "evaluate direct --threads 0": "qkgram evaluate: invalid value for '--threads': "
    "Input should be greater than or equal to 1, got '0'; see qkgram evaluate --help",
    "evaluate direct --split foo": "qkgram evaluate: invalid value for '--split': "
    "'foo' is not one of 'train', 'dev', 'test'; see qkgram evaluate --help",
    "zzz": "qkgram: no such command 'zzz'; see qkgram --help",
    "kg bild": "qkgram kg: no such command 'bild'. Did you mean 'build'? See qkgram kg --help",
    "data check none.jsonl": "qkgram: none.jsonl: there is no such file; check the path",
}


@pytest.fixture(autouse=True)
def _narrow_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")


def leave(words: str, monkeypatch: pytest.MonkeyPatch) -> object:
    """Run the console script; return its exit code."""
    monkeypatch.setattr("sys.argv", ["qkgram", *words.split()])
    with pytest.raises(SystemExit) as left:
        run(app)
    return left.value.code


@pytest.mark.parametrize("words", SAID)
def test_a_wrong_command_line_is_one_line(
    words: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert leave(words, monkeypatch) == 1
    out, err = capsys.readouterr()
    assert (out, err) == ("", f"{SAID[words]}\n")


def test_a_bare_command_shows_its_help_alone(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert leave("kg", monkeypatch) == 1
    out, err = capsys.readouterr()
    assert "Usage: qkgram kg" in out + err
    assert "qkgram: " not in err


def test_help_is_no_error(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert leave("evaluate --help", monkeypatch) in (0, None)
    assert "Usage: qkgram evaluate" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("raised", "code", "line"),
    [
        (KeyboardInterrupt(), 2, "qkgram: interrupted\n"),
        (EOFError(), 1, "qkgram: aborted\n"),
        (FileNotFoundError(2, "No such file", "x.toml"), 1, "qkgram: No such file: x.toml\n"),
    ],
)
def test_what_a_command_raises_is_one_line_too(
    raised: BaseException,
    code: int,
    line: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def stop(*_: object, **__: object) -> None:
        raise raised

    monkeypatch.setattr("optimize.cli.ui.check_store", stop)
    assert leave("ui", monkeypatch) == code
    assert capsys.readouterr().err.endswith(line)
