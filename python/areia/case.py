"""Cases as nested mappings, by the keys of the case file.

Nothing is checked here: what a key may hold is known to the schema of the program alone, which reads the case whenever
it is checked or run, and tells problems with file, line, key, value and rule.
"""
from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, MutableMapping, MutableSequence
from typing import TYPE_CHECKING, Any, Iterable, Union, overload

from . import _areia
from .errors import Problem

if TYPE_CHECKING:
    from . import keys as types

Path = Union[str, "os.PathLike[str]"]


def _toml(value: Any) -> str:
    """A value as TOML."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        return float.__repr__(value)
    if isinstance(value, os.PathLike):
        return _toml(os.fspath(value))
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{_key(key)} = {_toml(one)}" for key, one in value.items()) + "}"
    if hasattr(value, "tolist"):  # numpy's arrays and scalars
        return _toml(value.tolist())
    if isinstance(value, Iterable):
        return "[" + ", ".join(_toml(one) for one in value) + "]"
    raise TypeError(f"a case cannot hold a value of type {type(value).__name__}")


def _key(key: Any) -> str:
    if not isinstance(key, str):
        raise TypeError(f"keys of a case are texts, not {type(key).__name__}")
    return _toml(key)


def _assignment(path: str, value: Any) -> str:
    """As given to --set: a text may be any TOML value, and else is that text."""
    return f"{path}={value if isinstance(value, str) else _toml(value)}"


class _Part:
    """A table or an array of a document, found by its path whenever it is asked: it may be replaced meanwhile."""

    def __init__(self, document: _areia.CaseDocument, path: tuple[str, ...]) -> None:
        self._document = document
        self._path = list(path)

    def _at(self, key: str) -> list[str]:
        return [*self._path, key]

    def _get(self, key: str) -> Any:
        path = self._at(key)
        kind = self._document.kind(path)
        if kind == "table":
            return Table(self._document, tuple(path))
        if kind == "array":
            return Array(self._document, tuple(path))
        return self._document.value(path)

    def __len__(self) -> int:
        return self._document.size(self._path)

    def __repr__(self) -> str:
        return repr(self._document.value(self._path))


class Table(_Part, MutableMapping[str, Any]):
    """A table of a case."""

    def __getitem__(self, key: str) -> Any:
        return self._get(key)

    def __setitem__(self, key: str, value: Any) -> None:
        _key(key)
        self._document.assign(self._at(key), _toml(value))

    def __delitem__(self, key: str) -> None:
        if key not in self:
            raise KeyError(key)
        self._document.erase(self._at(key))

    def __iter__(self) -> Iterator[str]:
        return iter(self._document.keys(self._path))

    def __contains__(self, key: object) -> bool:
        return isinstance(key, str) and self._document.kind(self._at(key)) != ""

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Mapping):
            return NotImplemented
        return self.to_dict() == (other.to_dict() if isinstance(other, Table) else dict(other))

    __hash__ = None  # type: ignore[assignment]

    def to_dict(self) -> dict[str, Any]:
        """A copy as plain dictionaries and lists."""
        value: dict[str, Any] = self._document.value(self._path)
        return value


class Array(_Part, MutableSequence[Any]):
    """An array of a case, such as its stages."""

    def _number(self, index: Any) -> str:
        if not isinstance(index, int):
            raise TypeError("elements of an array have whole numbers")
        size = len(self)
        index = index + size if index < 0 else index
        if not 0 <= index < size:
            raise IndexError(index)
        return str(index)

    @overload
    def __getitem__(self, index: int) -> Any: ...
    @overload
    def __getitem__(self, index: slice) -> list[Any]: ...
    def __getitem__(self, index: int | slice) -> Any:
        if isinstance(index, slice):
            return [self._get(str(k)) for k in range(*index.indices(len(self)))]
        return self._get(self._number(index))

    def __setitem__(self, index: Any, value: Any) -> None:
        self._document.assign(self._at(self._number(index)), _toml(value))

    def __delitem__(self, index: Any) -> None:
        self._document.erase(self._at(self._number(index)))

    def insert(self, index: int, value: Any) -> None:
        """Puts an element before the one with this number."""
        size = len(self)
        at = max(0, index + size) if index < 0 else min(index, size)
        self._document.insert(self._at(str(at)), _toml(value))

    def to_list(self) -> list[Any]:
        """A copy as plain lists and dictionaries."""
        value: list[Any] = self._document.value(self._path)
        return value

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Array):
            return self.to_list() == other.to_list()
        if not isinstance(other, (list, tuple)):
            return NotImplemented
        return self.to_list() == list(other)

    __hash__ = None  # type: ignore[assignment]


class Case(Table):
    """A case: a nested mapping with the keys of a case file.

    Values are as they were written, ``"5 mm"`` or ``0.005``. ``Case({...})`` makes one without a file, ``load`` reads
    one. ``areia.keys`` has the types of all keys, for editors and type checkers.
    """

    def __init__(self, keys: types.Case | Mapping[str, Any] = {}) -> None:
        super().__init__(_areia.CaseDocument("", "Python"), ())
        for key, value in keys.items():
            self[key] = value

    @classmethod
    def _of(cls, document: _areia.CaseDocument) -> Case:
        case = cls()
        case._document = document
        return case

    @classmethod
    def parse(cls, text: str, name: str = "Python") -> Case:
        """Of the text of a case file; files that it names are looked for beside `name`."""
        return cls._of(_areia.CaseDocument(text, name))

    @property
    def name(self) -> str:
        """The file that it was read from, or "Python"."""
        return self._document.name

    def set(self, path: str, value: Any) -> None:
        """Sets a key by its path, as ``--set`` does: ``case.set("stages.settle.until.at_most", "3 s")``.

        An element of an array is named by its number, from 1, or by its name: ``stages[1].duration``,
        ``stages.settle.duration``.
        """
        self._document.set(_assignment(path, value))

    def check(self) -> list[Problem]:
        """All problems of the case; none where it can be run. Packings that have to be computed are left out."""
        return self._document.problems()

    def warnings(self) -> list[str]:
        """What is possible and probably not meant. Raises InputError where the case has problems."""
        return self._document.warnings()

    def to_toml(self, complete: bool = False) -> str:
        """The case as the text of a case file.

        With `complete` every key with its default, in SI units, and the content of files that the case names; then
        the case must be sound.
        """
        return self._document.complete_text() if complete else self._document.text()

    def write(self, path: Path, complete: bool = False) -> None:
        """Writes the case as a case file. Files that it names are not copied; see `to_toml`."""
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.to_toml(complete))

    def copy(self) -> Case:
        """Another case that begins as this one."""
        return Case._of(self._document.copy())

    def __repr__(self) -> str:
        title = self.get("title", "untitled")
        return f"<areia.Case {title!r}: {', '.join(self)}>"


def load(path: Path, set: Mapping[str, Any] = {}) -> Case:
    """Reads a case file; `set` holds paths and values as ``--set`` takes them.

    Only the form of the file is checked; ``check`` and whatever runs the case tell the rest.
    """
    case = Case._of(_areia.CaseDocument.read(os.fspath(path)))
    for key, value in set.items():
        case.set(key, value)
    return case
