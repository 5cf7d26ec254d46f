"""Areia: discrete element simulation of granular materials.

>>> import areia
>>> case = areia.load("heap.toml")
>>> case["contacts"]["grain-grain"]["tangential"]["mu"] = 0.4
>>> for problem in case.check(): print(problem)
>>> sim = areia.Simulation(case)
>>> sim.run(until="settle")
>>> sim.frame("x", "radius").x[:, 2].max()
>>> areia.run(case, out="heap.out").series["energy"]
"""
from . import impact
from ._areia import version as __version__
from .case import Array, Case, Table, load
from .errors import Error, FileError, InputError, Problem, StoppedError
from .frame import Bonds, Breaks, Contacts, Frame, Wall, Walls
from .results import Results, Series, open, run
from .simulation import Simulation, Watch, resume
from .verification import verify

__all__ = [
    "Array",
    "Bonds",
    "Breaks",
    "Case",
    "Contacts",
    "Error",
    "FileError",
    "Frame",
    "InputError",
    "Problem",
    "Results",
    "Series",
    "Simulation",
    "StoppedError",
    "Table",
    "Wall",
    "Walls",
    "Watch",
    "__version__",
    "impact",
    "load",
    "open",
    "resume",
    "run",
    "verify",
]
