"""Planar collisions of rigid bodies: the impact lab of the command line."""
from __future__ import annotations

import json
import os
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from . import _areia
from .case import Case, Path, _assignment
from .frame import Rows


class Trajectory(NamedTuple):
    """What a case of the lab did: how it ended, its events, and its series by columns."""

    run: dict[str, Any]
    events: Any
    series: Rows


def solve(cases: Mapping[str, Any]) -> Any:
    """Solves collisions in the shape that ``areia impact solve`` reads: ``{"cases": [...]}``."""
    return json.loads(_areia.solve_impacts(json.dumps(cases), "Python"))


def run(case: Mapping[str, Any] | Path, set: Mapping[str, Any] = {}, out: Path | None = None) -> Trajectory:
    """Simulates a case of the impact lab, a mapping or the name of its file; with `out` also into a folder."""
    if isinstance(case, Mapping):
        text, name = (case if isinstance(case, Case) else Case(case)).to_toml(), "Python"
    else:
        name = os.fspath(case)
        with open(name, encoding="utf-8") as file:
            text = file.read()
    sets = [_assignment(path, value) for path, value in set.items()]
    found = _areia.run_lab(text, name, sets, "" if out is None else os.fspath(out))
    series = Rows({key: np.asarray(values, dtype=np.float64) for key, values in found["series"].items()})
    return Trajectory(found["run"], found["events"], series)
