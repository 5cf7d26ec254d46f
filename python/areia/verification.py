"""The worked examples of the sources, with their printed values beside ours."""
from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from . import _areia


def examples() -> list[dict[str, Any]]:
    """Name, title, and whether it takes seconds (`quick`), of every verified example."""
    return _areia.verify_examples()


def verify(names: Iterable[str] | str | None = None, threads: int = 1) -> list[dict[str, Any]]:
    """Runs examples, by default the quick ones; rows and verdicts as ``areia verify --json`` prints them."""
    if names is None:
        names = [e["name"] for e in examples() if e["quick"]]
    return [_areia.verify_one(name, threads) for name in ([names] if isinstance(names, str) else names)]
