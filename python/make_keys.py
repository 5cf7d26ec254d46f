"""Writes the types of the keys of cases, python/areia/keys.py, from the schema of the program.

    build/areia schema | python3 python/make_keys.py >python/areia/keys.py
"""
import json
import keyword
import sys
import textwrap

HEAD = '''"""The keys of cases as types, for editors and type checkers: `keys: areia.keys.Case = {...}`.

Made by python/make_keys.py from the schema, which also knows ranges, units and which keys go together: what is well
typed may still be refused. Docstrings tell the meaning of the keys.
"""
from __future__ import annotations

from typing import Any, Literal, Mapping, Sequence, TypedDict, Union

Number = Union[float, str]  # in SI units, or a text with a unit, "5 mm"
Vector = Sequence[Number]
'''


class Types:
    def __init__(self, root):
        self.root = root
        self.text = []  # classes, each behind those that it needs
        self.names = {}  # by form

    def of(self, node, name):
        """The type of what a node of the schema describes; `name` is for a class, if it needs one."""
        if "$ref" in node:
            return self.of(self.root["$defs"][node["$ref"].split("/")[-1]], name)
        if "enum" in node:
            return f"Literal[{', '.join(json.dumps(one) for one in node['enum'])}]"
        if "anyOf" in node:
            return self.union([self.of(one, name) for one in node["anyOf"]])
        kind = node.get("type")
        if kind == "array":
            return self.array(node, name)
        if kind == "object":
            return self.table(node, name)
        return {"string": "str", "number": "float", "integer": "int", "boolean": "bool"}.get(kind, "Any")

    @staticmethod
    def union(types):
        kinds = list(dict.fromkeys(types))
        if "float" in kinds and "str" in kinds:
            kinds = ["Number", *(one for one in kinds if one not in ("float", "str"))]
        return kinds[0] if len(kinds) == 1 else f"Union[{', '.join(kinds)}]"

    def array(self, node, name):
        items = [self.of(one, name) for one in node.get("prefixItems", [])]
        if isinstance(node.get("items"), dict):
            items.append(self.of(node["items"], name))
        one = self.union(items) if items else "Any"
        return "Vector" if one == "Number" else f"Sequence[{one}]"

    def table(self, node, name):
        rest = node.get("additionalProperties")
        keys = node.get("properties")
        if not keys:
            return f"Mapping[str, {self.of(rest, name) if isinstance(rest, dict) else 'Any'}]"
        if isinstance(rest, dict):  # named by the user beside keys of ours
            return f"Mapping[str, {self.union([self.of(one, name) for one in [rest, *keys.values()]])}]"
        fields = {key: self.of(one, ("" if name == "Case" else name) + camel(key)) for key, one in keys.items()}
        needed = set(node.get("required", []))
        help_of = {key: one.get("description", "") for key, one in keys.items()}
        form = json.dumps([fields, sorted(needed), help_of])
        if form not in self.names:
            assert name not in self.names.values(), f"{name}: two forms of one name"
            self.names[form] = name
            self.text.append(typed_dict(name, fields, needed, help_of))
        return self.names[form]


def camel(key):
    return "".join(part.capitalize() for part in "".join(c if c.isalnum() else " " for c in key).split())


def typed_dict(name, fields, needed, help_of):
    """A class; keys that have to be there are those of a base class."""
    base = {key: type for key, type in fields.items() if key in needed}
    lines = []
    if base and len(base) < len(fields):
        lines += group(f"_{name}", "TypedDict", base, {})
        fields = {key: type for key, type in fields.items() if key not in needed}
        lines += group(name, f"_{name}, total=False", fields, help_of)
    else:
        lines += group(name, "TypedDict" + ("" if base else ", total=False"), fields, help_of)
    return "\n".join(lines)


def group(name, bases, fields, help_of):
    if any(not key.isidentifier() or keyword.iskeyword(key) for key in fields):
        assert bases.startswith("TypedDict"), f"{name}: keys that are no names of Python beside keys that have to be there"
        total = ", total=False" if "total" in bases else ""
        return ["", "", f"{name} = TypedDict({json.dumps(name)}, {{", *(f"    {json.dumps(key)}: {json.dumps(type)}," for key, type in fields.items()),
                f"}}{total})", *told(help_of, "")]
    return ["", "", f"class {name}({bases}):", *told(help_of, "    "), *(f"    {key}: {type}" for key, type in fields.items())]


def told(help_of, indent):
    """A docstring; without a class it stands behind the name, where editors look for it."""
    if not help_of:
        return []
    lines = [f'{indent}"""']
    for key, text in help_of.items():
        lines += textwrap.wrap(f"{key}: {text}".replace("\\", "\\\\"), 120, initial_indent=indent, subsequent_indent=indent + "    ")
    return lines + [f'{indent}"""']


def main():
    root = json.load(sys.stdin)
    types = Types(root)
    types.of({**root, "additionalProperties": False}, "Case")
    sys.stdout.write(HEAD + "\n".join(types.text) + "\n")


if __name__ == "__main__":
    main()
