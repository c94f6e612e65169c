"""Every error that qkgram raises on purpose.

    QkgramError                    one line for the user: what was wanted, what came, what to do
    ├── InputError                 a file, a flag or a value of the user's is wrong
    │   ├── SettingsError          a setting is unknown or out of range
    │   ├── QuestionFileError      a question file cannot be read
    │   └── GraphFileError         a graph or constraint file cannot be read
    ├── MissingError               something that must exist does not
    │   ├── StoreNotFound          no graph store at this path
    │   ├── StoreMismatch          an index or run was made from another store
    │   └── ModelNotFound          a model file is absent or has the wrong SHA-256
    ├── DownloadError              a download failed; what was fetched is kept for a resume
    ├── ModelCallError             a language model could not be reached or refused the call
    ├── BudgetExceeded             a budget set by the user is spent; the run can be resumed
    ├── RunIncomplete              questions of a run are left; the same command goes on
    ├── RunNotWritten              a run's row cannot be written, the disk is full; resumable
    ├── ParseError                 a model's text has no reading under its signature
    └── ProgramStateError          a saved program does not fit this version of the code

Exit codes of the command line: `InputError`, `MissingError`, `DownloadError`, `ModelCallError` and
`ProgramStateError` are 1 (user error), `BudgetExceeded`, `RunIncomplete`, `RunNotWritten` and an
interrupt are 2 (incomplete, resumable).
"""

from __future__ import annotations


class QkgramError(Exception):
    """Base of the tree: one line of text that a user can act on."""

    exit_code = 1


class InputError(QkgramError):
    """A file, a flag or a value given by the user is wrong."""


class SettingsError(InputError):
    """A setting is unknown, has the wrong type or is out of range."""


class QuestionFileError(InputError):
    """A question file cannot be read; the message names the file and the line."""


class GraphFileError(InputError):
    """A graph or constraint file cannot be read; the message names the file and the row."""


class MissingError(QkgramError):
    """Something that must exist does not; the message holds the command that makes it."""


class StoreNotFound(MissingError):
    """There is no graph store at the path."""


class StoreMismatch(MissingError):
    """An index, a run or a constraint file was made from another store."""


class ModelNotFound(MissingError):
    """A model file is absent, or its SHA-256 is not the pinned one."""


class DownloadError(QkgramError):
    """A download failed; the part that was fetched is kept and a second call resumes it."""


class ModelCallError(QkgramError):
    """A language model could not be reached or refused the call. Never a wrong answer."""


class BudgetExceeded(QkgramError):
    """A budget of calls, tokens, cost or minutes is spent. Clean and resumable."""

    exit_code = 2


class RunIncomplete(QkgramError):
    """Questions of a run are left: budget, interrupt or outage. The same command goes on."""

    exit_code = 2


class RunNotWritten(QkgramError):
    """A run's row cannot be written: the disk is full. Rows so far are kept; resumable."""

    exit_code = 2


class ParseError(QkgramError):
    """A model's text has no reading under its signature, also after the re-asks."""


class ProgramStateError(QkgramError):
    """A saved program does not fit the fields of the program that loads it."""
