"""Frames: the visible state at an instant, as arrays in the order of ids.

Arrays are read-only and belong to the frame: they stay as they are while the simulation goes on, and live on when it is
gone.
"""
from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from . import _areia

if TYPE_CHECKING:
    import pandas
    import xarray

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]
Indices = npt.NDArray[np.int32]
Vector = tuple[float, float, float]

_UNITS = {"x": "m", "v": "m/s", "w": "rad/s", "q": "1", "force": "N", "torque": "N m", "radius": "m", "mass": "kg",
          "charge": "C", "material": "1", "group": "1", "coordination": "1", "prescribed": "1"}
_PREFIX = {"x": "", "v": "v", "w": "w", "q": "q"}
_AXES = {3: ("x", "y", "z"), 4: ("w", "x", "y", "z")}


def _flat(name: str, values: npt.NDArray[Any]) -> dict[str, npt.NDArray[Any]]:
    """A column of vectors as columns of numbers: x, y, z of x; vx, vy, vz of v; force_x, ... of force."""
    if values.ndim == 1:
        return {name: values}
    prefix = _PREFIX.get(name, name + "_")
    return {prefix + axis: values[:, k] for k, axis in enumerate(_AXES[values.shape[1]])}


class Rows:
    """Columns of equal length by name: contacts, bonds, bonds that broke."""

    def __init__(self, columns: Mapping[str, npt.NDArray[Any]]) -> None:
        self._columns = dict(columns)

    def __getattr__(self, name: str) -> npt.NDArray[Any]:
        try:
            return self.__dict__["_columns"][name]  # type: ignore[no-any-return]
        except KeyError:
            raise AttributeError(f"there are: {', '.join(self.__dict__.get('_columns', ()))}") from None

    def __getitem__(self, name: str) -> npt.NDArray[Any]:
        return self._columns[name]

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self._columns]

    @property
    def names(self) -> list[str]:
        """Of the columns."""
        return list(self._columns)

    def __len__(self) -> int:
        return len(next(iter(self._columns.values())))

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {len(self)} of {', '.join(self._columns)}>"

    def to_pandas(self) -> pandas.DataFrame:
        """As a table; of vectors a column for each component."""
        import pandas

        flat = {n: c for name, values in self._columns.items() for n, c in _flat(name, values).items()}
        return pandas.DataFrame(flat)


class Contacts(Rows):
    """Who touches whom: `i` and `j` are ids (`j` is -1 at a wall, `wall` its number), `point`, `n` from i to j or into the
    wall, `overlap`, `force` on i, `normal` and `tangential` force, `elongation` of the tangential spring."""


class Bonds(Rows):
    """Bonds that hold: `i`, `j`, `wall`, `set` of the bond, anchors `at_i` and `at_j`, `force` on i."""


class Breaks(Rows):
    """Bonds that broke since the start: `time`, `i`, `j`, `wall`, `set`, `point`, `force`, `normal`, `shear`."""


class Wall(NamedTuple):
    """A wall at an instant. Torque is about `origin`; `turn` is a quaternion (w, x, y, z)."""

    name: str
    present: bool
    force: Vector
    torque: Vector
    origin: Vector
    velocity: Vector
    turn: tuple[float, float, float, float]
    vertices: Floats
    polygons: list[list[int]]


class Walls(Mapping[str, Wall]):
    """The walls by name, in the order of the case."""

    def __init__(self, walls: list[Wall]) -> None:
        self._walls = {wall.name: wall for wall in walls}

    def __getitem__(self, name: str) -> Wall:
        return self._walls[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._walls)

    def __len__(self) -> int:
        return len(self._walls)

    def __repr__(self) -> str:
        return f"<Walls: {', '.join(self._walls)}>"

    def to_pandas(self) -> pandas.DataFrame:
        """As a table, by name."""
        import pandas

        rows = [{"present": w.present, **{f"{name}_{axis}": value for name in ("force", "torque", "origin", "velocity")
                                          for axis, value in zip("xyz", getattr(w, name))}}
                for w in self._walls.values()]
        return pandas.DataFrame(rows, index=pandas.Index(list(self._walls), name="wall"))


class Frame:
    """The visible state of a simulation at an instant."""

    def __init__(self, frame: _areia.Frame) -> None:
        self._frame = frame

    @property
    def title(self) -> str:
        """Of the case."""
        return self._frame.title

    @property
    def time(self) -> float:
        """s"""
        return self._frame.time

    @property
    def dt(self) -> float:
        """The time step, s."""
        return self._frame.dt

    @property
    def step(self) -> int:
        """Number of steps since the start."""
        return self._frame.step

    @property
    def stage(self) -> str:
        """Name of the stage."""
        return self._frame.stage

    @property
    def lost(self) -> int:
        """Particles that left the domain."""
        return self._frame.lost

    @property
    def removed(self) -> int:
        """Particles that were taken out."""
        return self._frame.removed

    @property
    def inserted(self) -> int:
        """Particles that came after the start."""
        return self._frame.inserted

    @property
    def materials(self) -> list[str]:
        """Names to which `material` points."""
        return self._frame.materials

    @property
    def groups(self) -> list[str]:
        """Names to which `group` points."""
        return self._frame.groups

    @property
    def bond_sets(self) -> list[str]:
        """Names to which the set of a bond points."""
        return self._frame.bond_sets

    @property
    def fields(self) -> list[str]:
        """The arrays of particles that this frame has."""
        return self._frame.fields

    @property
    def id(self) -> Integers:
        """Ascending, never used twice."""
        return self._frame.array("id")

    @property
    def x(self) -> Floats:
        """Centres, m."""
        return self._frame.array("x")

    @property
    def v(self) -> Floats:
        """Velocities, m/s."""
        return self._frame.array("v")

    @property
    def w(self) -> Floats:
        """Spins, rad/s."""
        return self._frame.array("w")

    @property
    def q(self) -> Floats:
        """Orientations, unit quaternions (w, x, y, z)."""
        return self._frame.array("q")

    @property
    def force(self) -> Floats:
        """Of contacts and fields, N."""
        return self._frame.array("force")

    @property
    def torque(self) -> Floats:
        """N m"""
        return self._frame.array("torque")

    @property
    def radius(self) -> Floats:
        """m"""
        return self._frame.array("radius")

    @property
    def mass(self) -> Floats:
        """kg"""
        return self._frame.array("mass")

    @property
    def charge(self) -> Floats:
        """C"""
        return self._frame.array("charge")

    @property
    def material(self) -> Indices:
        """Indices into `materials`."""
        return self._frame.array("material")

    @property
    def group(self) -> Indices:
        """Indices into `groups`."""
        return self._frame.array("group")

    @property
    def coordination(self) -> Indices:
        """Touching partners, walls included."""
        return self._frame.array("coordination")

    @property
    def prescribed(self) -> npt.NDArray[np.uint8]:
        """1 for those that a motion of the case moves."""
        return self._frame.array("prescribed")

    @property
    def contacts(self) -> Contacts:
        """Who touches whom, by (i, j), then (i, wall)."""
        return Contacts(self._frame.contacts())

    @property
    def bonds(self) -> Bonds:
        """Bonds that hold."""
        return Bonds(self._frame.bonds())

    @property
    def breaks(self) -> Breaks:
        """Bonds that broke, in the order of time."""
        return Breaks(self._frame.breaks())

    @property
    def walls(self) -> Walls:
        """The walls by name, with the forces of the particles on them."""
        return Walls([Wall(**wall) for wall in self._frame.walls()])

    @property
    def energy(self) -> dict[str, float]:
        """The ledger, J: kinetic, rotational, potential, ..., residual."""
        return self._frame.energy()

    @property
    def cell(self) -> dict[str, Any] | None:
        """The periodic cell of a case that loads it."""
        return self._frame.cell()

    @property
    def hash(self) -> str:
        """Of the whole state, as the command line prints it; for frames that have everything."""
        return self._frame.hash()

    def __len__(self) -> int:
        return len(self._frame)

    def __repr__(self) -> str:
        return f"<areia.Frame: {len(self)} particles at t = {self.time:.6g} s, stage {self.stage!r}>"

    def to_pandas(self) -> pandas.DataFrame:
        """The particles as a table, by id: x, y, z, vx, ..., force_x, ...; materials and groups by name."""
        import pandas

        columns: dict[str, Any] = {}
        for name in self.fields[1:]:
            columns.update(_flat(name, self._frame.array(name)))
        for name, names in (("material", self.materials), ("group", self.groups)):
            if name in columns:
                columns[name] = pandas.Categorical.from_codes(columns[name], names)
        return pandas.DataFrame(columns, index=pandas.Index(self.id, name="id"))

    def to_xarray(self) -> xarray.Dataset:
        """The particles as a data set with units, along `id`; vectors along `axis`, quaternions along `part`."""
        import xarray

        variables: dict[str, Any] = {}
        for name in self.fields[1:]:
            values = self._frame.array(name)
            dims = ("id",) if values.ndim == 1 else ("id", "axis" if values.shape[1] == 3 else "part")
            variables[name] = (dims, values, {"units": _UNITS[name]})
        used = {dim for dims, _, _ in variables.values() for dim in dims}
        coords: dict[str, Any] = {"id": self.id}
        coords.update({dim: list(_AXES[n]) for dim, n in (("axis", 3), ("part", 4)) if dim in used})
        attributes = {"time": self.time, "step": self.step, "stage": self.stage, "title": self.title,
                      "materials": self.materials, "groups": self.groups}
        return xarray.Dataset(variables, coords, attributes)

    def picture(self, width: int = 800, height: int = 600, colour: str = "speed", contacts: bool = False,
                walls: bool = True) -> bytes:
        """A picture as ``areia render`` draws it, PNG. `colour` is an array of the frame, or "speed" or "height"."""
        return self._frame.picture(width, height, colour, contacts, walls)

    def _repr_png_(self) -> bytes | None:
        if not {"x", "radius"} <= set(self.fields):
            return None
        return self.picture(colour="speed" if "v" in self.fields else "radius")
