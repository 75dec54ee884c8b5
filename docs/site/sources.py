"""What becomes a page: the texts of the repository, put where Sphinx reads them, with links that lead somewhere.

Every page keeps the place that its text has in the repository, so that links between texts need no table. What a
text links to and is no text itself, such as a file of the source, gets a page with its lines.
"""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import nbformat

__all__ = ["ROOT", "Site", "language_of", "titles_of"]

ROOT = Path(__file__).resolve().parents[2]
#: ``[text](target)``, but not in code between backticks, which comes first.
_LINK = re.compile(
    r"(?P<code>(?P<ticks>`+).*?(?P=ticks))|(?P<text>!?\[(?:[^][]|\[[^]]*\])*\])\((?P<target>[^)\s]+)\)", re.DOTALL
)
_FENCE = re.compile(r"^(```|~~~).*?^\1[^\n]*$", re.DOTALL | re.MULTILINE)
#: How Pygments calls the languages of files that are shown.
_LEXERS = {".py": "python", ".toml": "toml", ".js": "javascript", ".css": "css", ".yml": "yaml"}


def titles_of(text: str) -> list[str]:
    """Return the headings of the first level of a text in Markdown."""
    return re.findall(r"^# (.+)$", _FENCE.sub("", text), re.MULTILINE)


def language_of(path: str) -> str:
    """Return in which language the site has a file of the repository, by where it lies."""
    return "zh" if path.startswith("notebooks/zh/") else "en"


class Site:
    """The pages of one language.

    Parameters
    ----------
    folder : Path
        Where Sphinx reads.
    language : str
        ``"en"`` or ``"zh"``.
    other : str
        How one gets from the top of this language's pages to that of the other's.

    Attributes
    ----------
    pages : dict of str to str
        File of the repository -> name of its page.
    """

    def __init__(self, folder: Path, language: str, other: str) -> None:
        self.folder, self.language, self.other = folder, language, other
        self.pages: dict[str, str] = {}
        self.elsewhere: dict[str, str] = {}
        self.shown: set[str] = set()
        folder.mkdir(parents=True, exist_ok=True)
        self._written: set[Path] = set()

    def add(self, files: Iterable[str], page_of: Callable[[str], str] | None = None) -> list[str]:
        """Say which files become pages, before any is written: links need to know. Return the names of the pages."""
        made = {file: page_of(file) if page_of else str(Path(file).with_suffix("")) for file in files}
        self.pages |= made
        return list(made.values())

    # --- links -------------------------------------------------------------------------------------

    def link(self, target: str, base: str, page: str) -> tuple[str, bool]:
        """Return where a link of a file leads on its page, and whether to another page of this language.

        Parameters
        ----------
        target : str
            What the text says.
        base : str
            The folder of the repository that it is relative to.
        page : str
            The page that it stands on.
        """
        if re.match(r"[a-z]+:|#", target):
            return target, not target.startswith("#")
        path, _, anchor = target.partition("#")
        file = os.path.normpath(os.path.join(base, path))
        if (ROOT / file / "README.md").is_file():
            file += "/README.md"
        here = os.path.dirname(page)
        mark = f"#{anchor}" if anchor else ""
        if file in self.pages:  # with its ending: without, it may be the name of a function, too
            return os.path.relpath(self.pages[file] + Path(file).suffix, here or ".") + mark, True
        if file in self.elsewhere:
            place = os.path.relpath(os.path.join(self.other, f"{self.elsewhere[file]}.html"), here or ".")
            return place + mark, False
        if not (ROOT / file).exists():
            raise ValueError(f"{page}: {target} leads nowhere")
        if self.language == "en" and (ROOT / file).is_file() and Path(file).suffix != ".svg":
            self.shown.add(file)
            return os.path.relpath(f"source/{file}", here or "."), True
        return os.path.relpath(file, here or "."), True

    def links(self, text: str, base: str, page: str) -> str:
        """Return a text in Markdown whose links lead from its page to other pages."""

        def replace(found: re.Match[str]) -> str:
            if found["code"]:
                return found[0]
            target, inside = self.link(found["target"], base, page)
            if inside or found["text"].startswith("!"):
                return f"{found['text']}({target})"
            label = re.sub(r"`([^`]+)`", r"<code>\1</code>", found["text"][1:-1])
            return f'<a href="{target}">{label}</a>'

        pieces, end = [], 0
        for fence in _FENCE.finditer(text):
            pieces += [_LINK.sub(replace, text[end : fence.start()]), fence[0]]
            end = fence.end()
        return "".join([*pieces, _LINK.sub(replace, text[end:])])

    # --- files -------------------------------------------------------------------------------------

    def write(self, name: str, text: str) -> None:
        """Write a file unless it is so already: Sphinx reads what is newer than its last look."""
        path = self.folder / name
        self._written.add(path)
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.exists() or path.read_text("utf-8") != text:
            path.write_text(text, "utf-8")

    def copy(self, file: str, name: str = "") -> None:
        """Take a picture or a file to download along."""
        path = self.folder / (name or file)
        self._written.add(path)
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.exists() or path.read_bytes() != (ROOT / file).read_bytes():
            shutil.copyfile(ROOT / file, path)

    def text(self, file: str, more: str = "") -> None:
        """Write the page of a text in Markdown, with more at its end."""
        text = (ROOT / file).read_text("utf-8")
        self.write_text(file, text + more)

    def write_text(self, file: str, text: str) -> None:
        """Write the page of a file with this text in Markdown."""
        page = self.pages[file]
        self.write(f"{page}.md", self.links(text, os.path.dirname(file), page))

    def notebook(self, file: str, notebook: Any, line: str) -> None:
        """Write the page of a notebook, with a line of HTML below its title."""
        page = self.pages[file]
        for cell in notebook.cells:
            if cell.cell_type == "markdown":
                cell.source = self.links(cell.source, os.path.dirname(file), page)
        first = next(cell for cell in notebook.cells if cell.cell_type == "markdown")
        title, _, rest = first.source.partition("\n")
        first.source = f"{title}\n\n{line}\n{rest}"
        self.write(f"{page}.ipynb", nbformat.writes(notebook))

    def show_sources(self) -> None:
        """Write a page for each file that was linked to."""
        for file in sorted(self.shown):
            lexer = _LEXERS.get(Path(file).suffix, "text")
            text = (ROOT / file).read_text("utf-8").rstrip("\n")
            fence = "`" * (max(map(len, re.findall(r"`{3,}", text)), default=2) + 1)
            head = ["---", "orphan: true", "---", "", f"# {file}", "", f"{fence}{{code-block}} {lexer}", ":linenos:"]
            self.write(f"source/{file}.md", "\n".join([*head, "", text, fence, ""]))

    def finish(self) -> None:
        """Remove what an earlier build has written and this one has not."""
        for path in self.folder.rglob("*"):
            if path.is_file() and path not in self._written:
                path.unlink()
