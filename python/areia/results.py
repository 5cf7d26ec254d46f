"""Runs with a results folder, the same that the command line makes, and what is in such folders."""
from __future__ import annotations

import builtins
import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, overload

from . import _areia
from .case import Case, Path, load
from .errors import FileError
from .frame import Floats, Frame, Rows
from .simulation import Time, _as_case

Log = Callable[[str], Any]
Progress = Callable[[dict[str, Any]], Any]


class Series(Rows):
    """Numbers over time: columns by the names of the file, such as `time_s` and `kinetic_J`."""


class AllSeries(Mapping[str, Series]):
    """The series of a run by name: energy, state, walls, measures of the case. Read when asked for."""

    def __init__(self, folder: _areia.Folder) -> None:
        self._folder = folder

    def __getitem__(self, name: str) -> Series:
        if name not in self._folder.series_names():
            raise KeyError(name)
        return Series(self._folder.series(name))

    def __iter__(self) -> Iterator[str]:
        return iter(self._folder.series_names())

    def __len__(self) -> int:
        return len(self._folder.series_names())

    def __repr__(self) -> str:
        return f"<AllSeries: {', '.join(self)}>"


class Frames(Sequence[Frame]):
    """The frames of a run in the order of time. Each is read when it is asked for."""

    def __init__(self, folder: _areia.Folder) -> None:
        self._folder = folder

    @property
    def times(self) -> list[float]:
        """s"""
        return self._folder.frame_times()

    def __len__(self) -> int:
        return len(self._folder.frame_times())

    @overload
    def __getitem__(self, index: int) -> Frame: ...
    @overload
    def __getitem__(self, index: slice) -> list[Frame]: ...
    def __getitem__(self, index: int | slice) -> Frame | list[Frame]:
        if isinstance(index, slice):
            return [self[k] for k in range(*index.indices(len(self)))]
        size = len(self)
        if not -size <= index < size:
            raise IndexError(index)
        return Frame(self._folder.frame(index % size))

    def __repr__(self) -> str:
        return f"<Frames: {len(self)}>"


class Results:
    """A results folder, of a run that is finished or goes on."""

    def __init__(self, folder: Path) -> None:
        self.folder = os.fspath(folder)
        self._held = _areia.Folder(self.folder)

    @property
    def series(self) -> AllSeries:
        """Numbers over time by name: ``series["energy"].kinetic_J``."""
        return AllSeries(self._held)

    @property
    def frames(self) -> Frames:
        """The frames in the order of time."""
        return Frames(self._held)

    @property
    def summary(self) -> dict[str, Any]:
        """How the run ended, in numbers; ``state_hash`` among them. Raises FileError while it goes on."""
        file = os.path.join(self.folder, "summary.json")
        if not os.path.exists(file):
            raise FileError(f"{self.folder}: the run has no summary yet")
        with builtins.open(file, encoding="utf-8") as text:
            summary: dict[str, Any] = json.load(text)
        return summary

    @property
    def case(self) -> Case:
        """The complete case that ran."""
        return load(os.path.join(self.folder, "case.toml"))

    @property
    def log(self) -> str:
        """What the run told."""
        with builtins.open(os.path.join(self.folder, "log.txt"), encoding="utf-8", errors="replace") as text:
            return text.read()

    def resume(self, threads: int = 0, extend: Time | None = None, max_wall: float = 0, log: Log | None = None,
               progress: Progress | None = None) -> Results:
        """Goes on with the run from its last checkpoint; with `extend`, for that much longer than the case says."""
        longer = 0.0 if extend is None else _areia.seconds(extend, "extend")
        _areia.run(None, self.folder, False, threads, "cpu", max_wall, longer, log, progress)
        return self

    def __repr__(self) -> str:
        return f"<areia.Results {self.folder!r}: {len(self.frames)} frames, series {', '.join(self.series)}>"


def run(case: Case | Mapping[str, Any] | Path, out: Path | None = None, set: Mapping[str, Any] = {},
        overwrite: bool = False, threads: int = 0, engine: str = "cpu", max_wall: float = 0, log: Log | None = None,
        progress: Progress | None = None) -> Results:
    """Runs a case into a results folder: the one that ``areia run`` makes.

    `out` is the folder; by default that of the case file with .out. `set` holds paths and values as ``--set`` takes
    them. `log` is called with every line of the log, `progress` a few times a second. Ctrl-C writes a checkpoint and
    stops; ``areia.open(out).resume()`` goes on.
    """
    ready = _as_case(case)
    if set:
        ready = ready.copy()
        for path, value in set.items():
            ready.set(path, value)
    if out is None:
        if ready.name == "Python":
            raise TypeError("a case without a file needs `out`, a folder for its results")
        out = os.path.splitext(ready.name)[0] + ".out"
    _areia.run(ready._document, os.fspath(out), overwrite, threads, engine, max_wall, 0.0, log, progress)
    return Results(out)


def open(folder: Path) -> Results:
    """The results of a run, from its folder."""
    return Results(folder)
