"""Build the course's site into build/site: ``make site``.

The texts and notebooks of the repository and the reference are written down for Sphinx, in English and in Chinese;
Sphinx makes pages of them; and every link of every page is followed. Nothing is fetched.
"""

from __future__ import annotations

import argparse
import html
import re
import shutil
import sys
import time
from pathlib import Path
from urllib.parse import unquote, urlsplit

sys.path.insert(0, str(Path(__file__).parents[1] / "lite"))
sys.path.insert(0, str(Path(__file__).parents[1] / "pictures"))
sys.path.insert(0, str(Path(__file__).parent))

from contents import link
from drawing import in_chinese
from lessons import executed, package_hash
from reference.pages import write_reference
from shown import SHOWN
from sources import ROOT, Site
from sphinx.cmd.build import main as sphinx

import d2lhybrid as mx
from d2lhybrid.internals.commands.binder import course_links
from d2lhybrid.internals.pictures.others.recording import names
from d2lhybrid.internals.pictures.others.side_by_side import SideBySide, side_by_side
from d2lhybrid.internals.pictures.traps import TRAPS
from d2lhybrid.internals.pictures.traps.pages import index_text, page_text
from d2lhybrid.internals.pictures.widgets.page import embedded

__all__ = ["dead_links", "main"]

OUT = ROOT / "build" / "site"
#: The course for a browser alone, if it has been built: it becomes part of the site.
LITE = ROOT / "build" / "lite"
WORK = ROOT / "build" / "site-work"
#: How Sphinx calls the languages.
_LOCALES = {"en": "en", "zh": "zh_CN"}
_WORDS = {
    "en": {"lessons": "Lessons", "exercises": "Exercises", "guide": "More to read", "errors": "Errors",
           "reference": "Reference", "decisions": "Decisions", "download": "Download the notebook",
           "lite": "Run it here, in the browser",
           "asked": "As students get it: replace the <code>...</code> and run the checks, in a notebook of your own."},
    "zh": {"lessons": "课程", "exercises": "练习", "errors": "错误与陷阱", "download": "下载笔记本",
           "lite": "在浏览器中直接运行",
           "asked": "学生拿到的笔记本就是这样。在自己的笔记本里，把 <code>...</code> 换成答案，再运行检查。"},
}  # fmt: skip


#: Name of a picture in a first page, or in the page about the other frameworks -> what makes it.
_PICTURES = SHOWN | {
    "others": lambda: SideBySide(names(), "table"),
    "others quiz": lambda: SideBySide(names(), "quiz"),
    "others print": lambda: side_by_side("print"),
}

#: Where the Chinese lessons and exercises are.
_CHINESE = ("notebooks/zh", "notebooks/zh/exercises")


def _chinese_page(file: str) -> str:
    """Return where a Chinese notebook is on the Chinese pages: where its original is on the English ones."""
    return str(Path("notebooks", *Path(file).with_suffix("").parts[2:]))


def _notebooks(folder: str) -> list[str]:
    return [str(path.relative_to(ROOT)) for path in sorted((ROOT / folder).glob("[0-9]*.ipynb"))]


def _texts(pattern: str) -> list[str]:
    return [str(path.relative_to(ROOT)) for path in sorted(ROOT.glob(pattern))]


def _toctree(caption: str, pages: list[str]) -> str:
    """Return the part of the navigation that has these pages, as Markdown."""
    lines = ["```{toctree}", ":hidden:", *([f":caption: {caption}"] if caption else []), "", *pages, "```"]
    return "\n" + "\n".join(lines) + "\n"


def _line(file: str, page: str, words: dict[str, str], note: str = "") -> str:
    """Return what stands below the title of a lesson: where to run it, as far as an address is known."""
    links = [(words["download"], Path(file).name), *course_links(ROOT, file)]
    places = " ".join(f'<a href="{html.escape(address)}">{name}</a>' for name, address in links)
    if LITE.is_dir():  # its kernel wants a server; a page that is opened from a disk does not offer it
        places += f' <a class="lite" hidden href="{html.escape(link(file, page))}">{words["lite"]}</a>'
    return f'<p class="open-in">{places}{f" <span>{note}</span>" if note else ""}</p>'


def _lessons(site: Site, files: list[str], package: str, run: bool) -> None:
    words = _WORDS[site.language]
    for file in files:
        if run:
            notebook, note = executed(file, ROOT / "build" / "site-lessons", package), ""
        else:
            notebook, note = executed(file, ROOT / "build" / "site-lessons", package, run=False), words["asked"]
        page = ("" if site.language == "en" else f"{site.language}/") + site.pages[file]
        site.notebook(file, notebook, _line(file, page, words, note))
        site.copy(file, f"files/{site.pages[file]}.ipynb")


def _front(file: str) -> str:
    """Return the text of a page, with a living picture wherever it asks for one."""

    def alive(found: re.Match[str]) -> str:
        return f"```{{raw}} html\n{embedded(_PICTURES[found[1]](), saved=True)}\n```"

    text, count = re.subn(r"^<!-- picture: ([\w ]+) -->$", alive, (ROOT / file).read_text("utf-8"), flags=re.MULTILINE)
    if not count:
        raise ValueError(f"{file} has no picture")
    return text


def english(package: str) -> Site:
    """Write the sources of the English pages."""
    site, words = Site(WORK / "en", "en", ""), _WORDS["en"]
    lessons, exercises = _notebooks("notebooks"), _notebooks("notebooks/exercises")
    errors = [file for file in _texts("docs/errors/*.md") if not file.endswith("README.md")]
    decisions = [file for file in _texts("docs/decisions/*.md") if not file.endswith("README.md")]
    names = ("README", "install", "use", "porting", "old-programs", "reading")
    first = [f"docs/{name}.md" for name in names]
    guide = [
        *first, *sorted({*_texts("docs/*.md")} - {*first}), "d2lhybrid/internals/pictures/README.md",
        "d2lhybrid/internals/pictures/widgets/README.md", "benchmarks/RESULTS.md", "CONTRIBUTING.md",
    ]  # fmt: skip
    site.add(["docs/site/others.md"], lambda file: "others")
    site.add(["docs/site/en.md", "README.md"], lambda file: "index")  # what leads to README leads to the first page
    for files in (lessons, exercises, guide, errors, decisions, ["docs/errors/README.md", "docs/decisions/README.md"]):
        site.add(files)
    site.elsewhere = {file: _chinese_page(file) for folder in _CHINESE for file in _notebooks(folder)}
    site.other = "zh"
    _lessons(site, lessons, package, run=True)
    _lessons(site, exercises, package, run=False)
    for file in (*guide, *errors, *decisions):
        site.text(file)
    site.text("docs/errors/README.md", _toctree("", [Path(file).stem for file in errors]))
    site.text("docs/decisions/README.md", _toctree("", [Path(file).stem for file in decisions]))
    reference = write_reference(site)
    tree = [
        _toctree(words["lessons"], [*(site.pages[file] for file in lessons), "others"]),
        _toctree(words["exercises"], [site.pages[file] for file in exercises]),
        _toctree(words["reference"], reference),
        _toctree(words["errors"], ["docs/errors/README"]),
        _toctree(words["guide"], [*(site.pages[file] for file in guide), "docs/decisions/README"]),
    ]
    site.write_text("docs/site/en.md", _front("docs/site/en.md") + "".join(tree))
    site.write_text("docs/site/others.md", _front("docs/site/others.md"))
    site.copy("docs/three-ways.svg")
    site.copy("docs/house.svg")
    site.show_sources()
    site.finish()
    return site


#: What the theme says, and has no Chinese for.
_THEME = {
    "On this page": "本页内容", "Back to top": "回到顶部", "Skip to content": "跳到正文", "Next": "下一页",
    "Previous": "上一页", "Home": "首页", "Search": "搜索", "Index": "索引", "Error": "错误",
}  # fmt: skip


def _write_words() -> None:
    """Write what the theme says in Chinese where Sphinx looks for it."""
    path = WORK / "locale" / "zh_CN" / "LC_MESSAGES" / "sphinx.po"
    lines = ['msgid ""', 'msgstr "Content-Type: text/plain; charset=UTF-8\\n"', ""]
    lines += [f'msgid "{english}"\nmsgstr "{words}"\n' for english, words in _THEME.items()]
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists() or path.read_text("utf-8") != "\n".join(lines):
        path.write_text("\n".join(lines), "utf-8")


def chinese(package: str, english_pages: dict[str, str]) -> Site:
    """Write the sources of the Chinese pages: the lessons, exercises and error pages that there are in Chinese."""
    site, words = Site(WORK / "zh", "zh", ".."), _WORDS["zh"]
    lessons, exercises = map(_notebooks, _CHINESE)
    errors = [f"docs/errors/{trap.file_name}" for trap in TRAPS.values()]
    site.add(["docs/site/zh.md"], lambda file: "index")
    site.add(["docs/site/others.zh.md"], lambda file: "others")
    site.add([*lessons, *exercises], _chinese_page)
    site.add([*errors, "docs/errors/README.md"])
    site.elsewhere = english_pages
    _lessons(site, lessons, package, run=True)
    _lessons(site, exercises, package, run=False)
    with mx.config(lang="zh"):
        for trap in TRAPS.values():
            site.write_text(f"docs/errors/{trap.file_name}", page_text(trap))
        tree = _toctree("", [Path(file).stem for file in errors])
        site.write_text("docs/errors/README.md", index_text() + tree)
    tree = [
        _toctree(words["lessons"], [*(site.pages[file] for file in lessons), "others"]),
        _toctree(words["exercises"], [site.pages[file] for file in exercises]),
        _toctree(words["errors"], ["docs/errors/README"]),
    ]
    with mx.config(lang="zh"):
        site.write_text("docs/site/zh.md", _front("docs/site/zh.md") + "".join(tree))
        site.write_text("docs/site/others.zh.md", _front("docs/site/others.zh.md"))
    site.write("docs/three-ways.svg", in_chinese((ROOT / "docs/three-ways.svg").read_text("utf-8")))
    site.finish()
    return site


# --- links of what has been built ------------------------------------------------------------------


def dead_links(folder: Path) -> list[str]:
    """Return which links of which pages lead nowhere, or to an anchor that is not there; and what pages would load."""
    found = []
    pages = {path: path.read_text("utf-8") for path in sorted(folder.rglob("*.html"))}
    anchors = {path: set(re.findall(r'\b(?:id|name)="([^"]+)"', text)) for path, text in pages.items()}
    for path, text in pages.items():
        if path.is_relative_to(folder / "lite"):
            continue
        name = path.relative_to(folder)
        shown = re.sub(r"<script\b(?![^>]*\bsrc=).*?</script>|<pre\b.*?</pre>", "", text, flags=re.DOTALL)
        for tag, address in re.findall(r'<(a|link|script|img|iframe|source)\b[^>]*?\b(?:href|src)="([^"]*)"', shown):
            parts = urlsplit(html.unescape(address))
            if parts.scheme in ("http", "https", "mailto") or parts.netloc:
                if tag != "a":
                    found.append(f"{name} loads {address}")
                continue
            if parts.scheme:
                continue
            target = path if not parts.path else (path.parent / unquote(parts.path)).resolve()
            if not target.is_file():
                found.append(f"{name}: {address}")
            elif parts.fragment and target in anchors and unquote(parts.fragment) not in anchors[target]:
                found.append(f"{name}: {address} has no such place")
    return found


def _bring_lite() -> None:
    """Put the course for a browser alone beside the pages, where it has been built."""
    shutil.rmtree(OUT / "lite", ignore_errors=True)
    if LITE.is_dir():
        shutil.copytree(LITE, OUT / "lite")


def _sphinx(language: str, out: Path, fresh: bool) -> int:
    settings = {"language": _LOCALES[language], "html_extra_path": WORK / language / "files"}
    arguments = ["-q", "-W", "--keep-going", "-j", "auto", "-b", "html", *(["-E"] if fresh else [])]
    arguments += ["-c", str(Path(__file__).parent), "-d", str(WORK / f"{language}-seen")]
    arguments += [part for name, value in settings.items() for part in ("-D", f"{name}={value}")]
    return sphinx([*arguments, str(WORK / language), str(out)])


def main() -> int:
    """Run from the command line; the exit status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--fresh", action="store_true", help="read every page again, also those that have not changed")
    fresh = parser.parse_args().fresh
    start = time.monotonic()
    package = package_hash()
    print("Running the lessons that have changed ...", flush=True)
    site = english(package)
    chinese(package, site.pages)
    _write_words()
    print(f"Writing the pages ... ({time.monotonic() - start:.0f} s)", flush=True)
    failed = any([_sphinx("en", OUT, fresh), _sphinx("zh", OUT / "zh", fresh)])
    _bring_lite()
    dead = dead_links(OUT)
    print("\n".join(dead[:40]))
    if failed or dead:
        print(f"The site has warnings, or {len(dead)} links that lead nowhere: see above.", file=sys.stderr)
        return 1
    count = len(list(OUT.rglob("*.html")))
    print(f"{count} pages in {time.monotonic() - start:.0f} s: open {(OUT / 'index.html').relative_to(ROOT)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
