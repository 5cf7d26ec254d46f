"""Pages that are made of files which are no Markdown: notebooks, the Python module with its docstrings, the headers of the library."""
import ast
import json
import os
import re


def of_notebook(path):
    parts = [f"[This page as a notebook]({os.path.basename(path)})"]
    with open(path, encoding="utf-8") as file:
        cells = json.load(file)["cells"]
    for cell in cells:
        text = "".join(cell["source"]).strip()
        parts.append(text if cell["cell_type"] == "markdown" else f"```python\n{text}\n```")
    parts[:2] = parts[1::-1]  # the title first
    return "\n\n".join(parts)


def described(node, name, level):
    """A function, a method or a property: its signature without types, and what its docstring says."""
    words = ast.get_docstring(node)
    if not words:
        return ""
    arguments = node.args
    given = [a.arg for a in arguments.args if a.arg not in ("self", "cls")]
    for argument, default in zip(reversed(range(len(given))), reversed(arguments.defaults)):
        given[argument] += "=" + ast.unparse(default)
    given += ["*" + arguments.vararg.arg] if arguments.vararg else []
    is_property = any(isinstance(d, ast.Name) and d.id == "property" for d in node.decorator_list)
    return f"{level} `{name}{'' if is_property else '(' + ', '.join(given) + ')'}`\n\n{words}\n\n"


def of_module(path):
    """What a package of Python exports, in the order in which it is imported, by the docstrings."""
    folder = os.path.dirname(path)
    out = "# Python reference\n\nMade of the docstrings. How all of it is used: [Areia from Python](../../docs/python.md). `areia.keys` has the types of the\nkeys of cases.\n\n"

    def tree(name):
        with open(os.path.join(folder, name + ".py"), encoding="utf-8") as file:
            return ast.parse(file.read())

    imports = [line for line in tree("__init__").body if isinstance(line, ast.ImportFrom) and not (line.module or "").startswith("_")]
    for line in sorted(imports, key=lambda line: line.module is None):  # whole modules last
        modules = [(line.module, {a.name for a in line.names}, "areia.")] if line.module else [
            (a.name, None, f"areia.{a.name}.") for a in line.names]
        for module, wanted, prefix in modules:
            for node in tree(module).body:
                name = getattr(node, "name", "_")
                if name.startswith("_") or (wanted is not None and name not in wanted):
                    continue
                if isinstance(node, ast.FunctionDef):
                    out += described(node, prefix + name, "##")
                elif isinstance(node, ast.ClassDef):
                    out += f"## `{prefix}{name}`\n\n{ast.get_docstring(node) or ''}\n\n"
                    for member in node.body:
                        if isinstance(member, ast.FunctionDef) and not member.name.startswith("_"):
                            out += described(member, member.name, "###")
    return out


def of_headers(path):
    """The headers that this one includes, one after the other."""
    folder = os.path.dirname(os.path.dirname(path))
    out = "# C++ reference\n\nThe headers of the library, whose comments are its reference. How they are used: [Areia as a library](../../docs/library.md).\n\n"
    with open(path, encoding="utf-8") as file:
        names = re.findall(r'#include "(.*?)"', file.read())
    for name in names:
        with open(os.path.join(folder, name), encoding="utf-8") as file:
            out += f"## {name}\n\n```cpp\n{file.read()}```\n\n"
    return out


KINDS = {".ipynb": of_notebook, "python/areia/__init__.py": of_module, "include/areia/areia.h": of_headers}


def page_name(name):
    """Of a file as a page; of other files their own."""
    return name + ".md" if any(name.endswith(kind) for kind in KINDS) else name


def page_of(path):
    """The Markdown of a page that page_name() has named, or None."""
    for kind, make in KINDS.items():
        if path.endswith(kind + ".md"):
            return make(path[:-3])
    return None
