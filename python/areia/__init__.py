"""Areia: discrete element simulation of granular materials.

>>> import areia
>>> case = areia.load("heap.toml")
>>> case["contacts"]["grain-grain"]["tangential"]["mu"] = 0.4
>>> for problem in case.check(): print(problem)
"""
from ._areia import version as __version__
from .case import Array, Case, Table, load
from .errors import Error, FileError, InputError, Problem, StoppedError

__all__ = [
    "Array",
    "Case",
    "Error",
    "FileError",
    "InputError",
    "Problem",
    "StoppedError",
    "Table",
    "__version__",
    "load",
]
