"""Simulations in memory."""
from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Union

import numpy as np
import numpy.typing as npt

from . import _areia
from .case import Case, Path, load
from .frame import Floats, Frame

if TYPE_CHECKING:
    import pandas

Time = Union[float, str]  # s, or a text with unit
Vectors = Union[Sequence[Sequence[float]], npt.NDArray[Any]]
Numbers = Union[Sequence[float], npt.NDArray[Any]]


def _as_case(case: Case | Mapping[str, Any] | Path) -> Case:
    if isinstance(case, Case):
        return case
    return Case(case) if isinstance(case, Mapping) else load(case)


class Watch:
    """A function that is called in a rhythm of simulated time. Numbers that it returns by name are kept."""

    def __init__(self, function: Callable[[Simulation], Any], rhythm: _areia.Rhythm) -> None:
        self.function = function
        self._rhythm = rhythm
        self._rows: list[dict[str, float]] = []
        self.__doc__ = function.__doc__

    def __call__(self, simulation: Simulation) -> Any:
        """Calls the function now; nothing is kept."""
        return self.function(simulation)

    def _look(self, simulation: Simulation) -> None:
        found = self.function(simulation)
        if isinstance(found, Mapping):
            self._rows.append({"time": simulation.time, **found})

    def __len__(self) -> int:
        return len(self._rows)

    def __getitem__(self, name: str) -> Floats:
        """A column of what was kept, or "time"; nan where the function did not return it."""
        return np.array([row.get(name, math.nan) for row in self._rows], dtype=np.float64)

    @property
    def names(self) -> list[str]:
        """Of the columns."""
        return list(dict.fromkeys(name for row in self._rows for name in row))

    def to_pandas(self) -> pandas.DataFrame:
        """What was kept as a table, by time."""
        import pandas

        return pandas.DataFrame(self._rows).set_index("time") if self._rows else pandas.DataFrame()


class Simulation:
    """A case in motion.

    Parameters: a case, a mapping or the name of a case file; the number of threads (0: as many as help); the engine,
    "cpu", "cuda" or "reference". Raises InputError with all problems. The result depends on neither threads nor engine.
    """

    def __init__(self, case: Case | Mapping[str, Any] | Path, threads: int = 0, engine: str = "cpu") -> None:
        self._held = _areia.Simulation(_as_case(case)._document, threads, engine)
        self._watches: list[Watch] = []

    @classmethod
    def _of(cls, held: _areia.Simulation) -> Simulation:
        simulation = cls.__new__(cls)
        simulation._held = held
        simulation._watches = []
        return simulation

    # --- going on ---

    def every(self, interval: Time) -> Callable[[Callable[[Simulation], Any]], Watch]:
        """Calls a function at every multiple of this simulated time, at the step that is nearest.

        An exception of the function stops the run at that step. What it returns as a mapping of numbers is kept, with
        the time; see `Watch`.
        """
        seconds = _areia.seconds(interval, "every")
        if not seconds > 0:
            raise ValueError("the interval must be more than no time")

        def add(function: Callable[[Simulation], Any]) -> Watch:
            watch = Watch(function, _areia.Rhythm(seconds, self.dt, self.time))
            self._watches.append(watch)
            return watch

        return add

    def _advance(self, steps: int, within_stage: bool = False) -> int:
        """Up to so many steps, no further than the next watch, which is called when it is due; how many were taken."""
        if self._watches:
            steps = min(steps, self._held.steps_to(min(w._rhythm.target() for w in self._watches)))
        taken = self._held.advance(steps, within_stage)
        for watch in self._watches:
            if watch._rhythm.is_due(self.time):
                watch._look(self)
        return taken

    def step(self, steps: int = 1) -> int:
        """Takes time steps, fewer at the end of the last stage; returns how many."""
        taken = 0
        while taken < steps and not self.finished:
            taken += self._advance(steps - taken)
        return taken

    def run(self, until: Time | None = None) -> None:
        """Runs to the end; or to the end of a stage, by its name; or to a time, in s or as a text with unit.

        A time is reached by the first step that is not before it. Ctrl-C stops at a step, from which the simulation
        goes on. Other threads of Python run meanwhile.
        """
        if until is None:
            while not self.finished:
                self._advance(self._held.steps_to(math.inf))
        elif isinstance(until, str) and until in self._held.stage_names():
            while not self.finished and not self._has_ended(until):
                self._advance(self._held.steps_to(math.inf), within_stage=True)
        else:
            time = _areia.seconds(until, "until")
            while not self.finished and self.time < time - 1e-6 * self.dt:
                self._advance(self._held.steps_to(time))

    def _has_ended(self, stage: str) -> bool:
        return any(s["name"] == stage and s["ended_by"] for s in self.stages)

    # --- changes ---

    def insert(self, set: str, x: Vectors, v: Vectors | None = None, w: Vectors | None = None,
               radius: float | Numbers | None = None, mass: float | Numbers | None = None) -> None:
        """Adds particles to a set of the case now, with the next ids. What is not given is that of the set, or 0."""
        def vectors(values: Vectors | None) -> Any:
            return [] if values is None else np.broadcast_to(np.asarray(values, dtype=np.float64), (len(x), 3))

        def numbers(values: float | Numbers | None) -> Any:
            return [] if values is None else np.broadcast_to(np.asarray(values, dtype=np.float64), (len(x),))

        self._held.insert(set, vectors(x), vectors(v), vectors(w), numbers(radius), numbers(mass))

    def remove(self, ids: Iterable[int]) -> None:
        """Takes particles out, by their ids."""
        self._held.remove([int(id) for id in ids])

    def set_velocity(self, group: str, velocity: Sequence[float] | npt.NDArray[Any]) -> None:
        """Gives every free particle of a group this velocity, m/s; spins stay as they are."""
        self._held.set_velocity(group, [float(v) for v in velocity])

    def set_wall_velocity(self, wall: str, velocity: Sequence[float] | npt.NDArray[Any],
                          spin: Sequence[float] | npt.NDArray[Any] = (0, 0, 0),
                          point: Sequence[float] | npt.NDArray[Any] = (0, 0, 0)) -> None:
        """A wall moves from where it is at this velocity, and turns at this spin (rad/s) about an axis through a point in
        space, which the velocity carries along; in place of all motion that the case gives it. Zero stops it."""
        self._held.set_wall_velocity(wall, *([float(a) for a in vector] for vector in (velocity, spin, point)))

    def set_gravity(self, gravity: Sequence[float] | npt.NDArray[Any]) -> None:
        """Uniform gravity from now on, m/s^2, in place of what the case says. The time step stays as it was chosen."""
        self._held.set_gravity([float(g) for g in gravity])

    # --- what there is to see ---

    def frame(self, *fields: str) -> Frame:
        """The state now: all of it, or the parts that are named, such as "x", "radius", "contacts".

        Nothing else is copied; a frame is not changed by steps that follow.
        """
        return Frame(self._held.frame(list(fields)))

    @property
    def time(self) -> float:
        """s"""
        return self._held.time

    @property
    def planned_time(self) -> float:
        """End of the last stage if every stage takes its longest time, s."""
        return self._held.planned_time

    @property
    def dt(self) -> float:
        """The time step, s; those before the end of a stage may be shorter."""
        return self._held.dt

    @property
    def steps(self) -> int:
        """Number of steps taken since the start."""
        return self._held.step

    @property
    def finished(self) -> bool:
        """Whether the last stage is over."""
        return self._held.finished

    @property
    def stage(self) -> str:
        """Name of the present stage."""
        return self._held.stage

    @property
    def stages(self) -> list[dict[str, Any]]:
        """Stages that have begun: name, begin and end in s, first_step, last_step, and by what it ended, if it has."""
        return self._held.stages()

    @property
    def particle_count(self) -> int:
        """Number of particles."""
        return self._held.particle_count

    @property
    def kinetic_energy(self) -> float:
        """J, translation and rotation of free particles."""
        return self._held.kinetic_energy

    @property
    def choices(self) -> dict[str, Any]:
        """What the program chose by itself, and why: dt, skin, cell, threads, each with its reason; warnings, notes."""
        return self._held.choices()

    @property
    def statistics(self) -> dict[str, int]:
        """Neighbour lists made, pairs, contacts, memory."""
        return self._held.statistics()

    @property
    def hash(self) -> str:
        """Of the whole state: the one that the command line prints at the end of a run."""
        return self._held.hash()

    @property
    def case(self) -> Case:
        """The complete case, with packings as lists of particles."""
        return Case.parse(self._held.case_text())

    def save(self, file: Path) -> None:
        """Writes the state and the case into one file (HDF5), from which `resume` goes on with the same bits.

        Functions of `every` are not part of it.
        """
        self._held.save(os.fspath(file))

    def __repr__(self) -> str:
        return f"<areia.Simulation: {self.particle_count} particles at t = {self.time:.6g} s, stage {self.stage!r}>"

    def _repr_png_(self) -> bytes | None:
        return self.frame()._repr_png_()


def resume(source: Path, threads: int = 0, engine: str = "cpu") -> Simulation:
    """A simulation that goes on from a file of `Simulation.save`, or from the last checkpoint of a results folder."""
    return Simulation._of(_areia.Simulation.resume(os.fspath(source), threads, engine))
