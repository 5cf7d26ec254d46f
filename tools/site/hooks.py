"""What mkdocs has to be told about these pages: which there are, in which order, and what becomes of links between files.

Pages lie where they lie: docs, the READMEs of examples, notebooks. None is copied, and the menu is read from the tables of
docs/README.md and examples/README.md.
"""
import glob
import html.parser
import os
import re
import sys
import urllib.parse

from mkdocs.exceptions import Abort
from mkdocs.structure.files import File, Files

sys.path.insert(0, os.path.dirname(__file__))
import sources  # noqa: E402

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))
WANTED = ("README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "LICENSE", "docs/**", "examples/**", "bench/README.md",
          "packaging/README.md", "debian/copyright", "tools/site/style.css", "python/areia/__init__.py", "include/areia/areia.h")
# (the report has a page of its own beside its Markdown)
UNWANTED = re.compile(r"(^|/)(\.|__pycache__|[^/]*\.out/)|^docs/dev/|^docs/verification/index.html$")


def read(name):
    with open(os.path.join(ROOT, name), encoding="utf-8") as file:
        return file.read()


def rows(page):
    """(heading, target) for each line of a page's tables whose first entry is a link."""
    heading = ""
    for line in read(page).splitlines():
        if line.startswith("#"):
            heading = line.lstrip("# ")
        found = re.match(r"\| \[[^\]]+\]\(([^)#]+)\)", line)
        if found:
            yield heading, sources.page_name(os.path.normpath(os.path.join(os.path.dirname(page), found[1])))


def on_config(config):
    menu = {}
    for heading, target in rows("docs/README.md"):
        if target != "examples/README.md":  # a menu of its own
            menu.setdefault(heading, []).append(target)
    for name in ("examples", "examples/notebooks"):
        menu[os.path.basename(name).capitalize()] = [name + "/README.md", *(target for _, target in rows(name + "/README.md"))]
    menu["Examples"].remove("examples/notebooks/README.md")  # a menu of its own
    config["nav"] = [{"Areia": "README.md"}, *({heading: pages} for heading, pages in menu.items())]
    return config


def on_files(files, config):
    chosen = [file for file in files if file.abs_src_path is None or not file.abs_src_path.startswith(config["docs_dir"])]  # the theme's
    for pattern in WANTED:
        for path in sorted(glob.glob(os.path.join(ROOT, pattern), recursive=True)):
            name = os.path.relpath(path, ROOT)
            if os.path.isfile(path) and not UNWANTED.search(name):
                for each in {sources.page_name(name), name}:
                    chosen.append(File(each, ROOT, config["site_dir"], False))
    return Files(chosen)


def on_page_read_source(page, config):
    return sources.page_of(page.file.abs_src_path)


def lists(text):
    """What belongs to an item of a list is indented by four for mkdocs; a list within it, and an item after it, follow an empty line."""
    text = re.sub(r"(?<=\S)\n(?= {2,3}1\. )", "\n\n", text)
    text = re.sub(r"^ {2,3}(?=\S)", "    ", text, flags=re.M)
    return re.sub(r"(?<=\n\n)((?: {4}\S.*\n)+)(?=[*-] )", r"\1\n", text)


def on_page_markdown(markdown, page, config, files):
    here = os.path.dirname(page.file.src_path)

    def link(match):
        target = match[1]
        if os.path.isdir(os.path.join(ROOT, here, target)):
            return f"]({target.rstrip('/')}/README.md)"
        if target == os.path.basename(page.file.src_path)[:-3]:
            return match[0]  # of a notebook to itself
        return f"]({sources.page_name(target)})"

    text = re.sub(r"\]\(([^):#\s]+)\)", link, markdown)
    text = "".join(part if part.startswith("```") else lists(part) for part in re.split(r"(^```.*?^```$)", text, flags=re.M | re.S))
    text = re.sub(r"^\|.*$", lambda row: re.sub(r"`[^`]+`", lambda code: code[0].replace("\\|", "|"), row[0]), text, flags=re.M)
    case = os.path.join(here, "case.toml")
    if here.startswith("examples/") and os.path.exists(os.path.join(ROOT, case)):
        body = "".join(f"    {line}\n" for line in read(case).splitlines())
        text += f'\n\n??? example "case.toml"\n\n    ```toml\n{body}    ```\n'
    return text


class Page(html.parser.HTMLParser):
    """The names in a page, where it leads, and what it loads."""

    def __init__(self, text):
        super().__init__()
        self.names, self.links, self.loads = set(), set(), set()
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        of = dict(attributes)
        self.names.update(value for value in (of.get("id"), of.get("name")) if value)
        if tag == "a" and of.get("href"):
            self.links.add(of["href"])
        elif tag == "link" and of.get("rel") != "canonical":
            self.loads.add(of.get("href") or "")
        elif of.get("src"):
            self.loads.add(of["src"])


def on_post_build(config):
    """Every link leads to a file and a name in it; nothing is loaded from another host."""
    site, wrong = config["site_dir"], []
    pages = {}
    for path in glob.glob(os.path.join(site, "**", "*.html"), recursive=True):
        name = os.path.relpath(path, site)
        if name != "404.html":
            with open(path, encoding="utf-8") as file:
                pages[name] = Page(file.read())
    for name, page in sorted(pages.items()):
        for target in sorted(page.links | page.loads):
            parts = urllib.parse.urlsplit(target)
            if parts.scheme or parts.netloc:
                if target in page.loads and parts.scheme != "data":
                    wrong.append(f"{name} loads {target}")
                continue
            file = os.path.normpath(os.path.join(os.path.dirname(name), urllib.parse.unquote(parts.path))) if parts.path else name
            if not os.path.exists(os.path.join(site, file)):
                wrong.append(f"{name} leads to {target}, which is not there")
            elif parts.fragment and file in pages and urllib.parse.unquote(parts.fragment) not in pages[file].names | {"__top"}:
                wrong.append(f"{name} leads to {target}, which has no such name")
    if wrong:
        raise Abort("\n".join(wrong))
