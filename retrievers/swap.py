"""Exchanging two folders in one step, so that a name never points at nothing.

Linux has `renameat2` with RENAME_EXCHANGE (kernel 3.15), macOS `renamex_np` with RENAME_SWAP; not
every file system has them.
"""

from __future__ import annotations

import ctypes
import os
import sys
from pathlib import Path

_HERE = -100  # AT_FDCWD of fcntl.h: relative to the working folder
_EXCHANGE = 2  # RENAME_EXCHANGE of linux/fs.h and RENAME_SWAP of macOS's stdio.h


def exchange(first: Path, second: Path) -> bool:
    """Exchange what two names mean, atomically; both must exist.

    Returns:
        False when the system or the file system cannot; nothing has changed then.
    """
    library = ctypes.CDLL(None, use_errno=True)
    a, b = os.fsencode(first), os.fsencode(second)
    try:
        if sys.platform == "darwin":
            done = library.renamex_np(a, b, ctypes.c_uint(_EXCHANGE))
        else:
            done = library.renameat2(_HERE, a, _HERE, b, ctypes.c_uint(_EXCHANGE))
    except AttributeError:  # a C library without the call
        return False
    return bool(done == 0)
