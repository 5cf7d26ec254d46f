"""What goes wrong, as the C++ library tells it."""
from __future__ import annotations

from typing import Sequence

from ._areia import Problem

__all__ = ["Error", "FileError", "InputError", "Problem", "StoppedError"]


class Error(RuntimeError):
    """The base of all errors of this module."""


class InputError(Error, ValueError):
    """Wrong input, with all problems at once."""

    problems: list[Problem]

    def __init__(self, message: str, problems: Sequence[Problem] = ()) -> None:
        super().__init__(message)
        self.problems = list(problems)


class StoppedError(Error):
    """The simulation cannot go on. What it holds is not to be used further."""


class FileError(Error, OSError):
    """A file could not be read or written."""
