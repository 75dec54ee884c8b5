"""The pages of the traps in ``docs/errors``, generated from their folders in ``numbered`` (``make pages``)."""

from __future__ import annotations

from ...support import package
from ...support.filesystem import write_text
from ...support.remedies import remedy
from ...support.words import add_words, translate
from . import TRAPS, Trap
from .notes import in_words

__all__ = ["index_text", "main", "page_text"]

_HEADER = "<!-- Written by `make pages` from d2lhybrid/internals/pictures/traps: changes made here are lost. -->\n"
_IT_SAYS = "The error message:"
_WRONG = "This does not work"
_OTHER = "This runs, but does something else"
_RIGHT = "This works"
_INTRODUCTION = (
    "Each page says what happens, why, and what to write instead. It shows a program that falls into the trap and a "
    "program that avoids it. `d2lhybrid explain H03` prints a page in a terminal. A notebook that imports the package "
    "shows the page above the traceback."
)
_SILENT = "These traps raise no error. `d2lhybrid.check_hybridization(net, x)` finds them and names their pages."


def page_text(trap: Trap) -> str:
    """Return the page of a trap in Markdown, in the language of ``mx.config``.

    Examples
    --------
    >>> from d2lhybrid.internals.pictures.traps import trap
    >>> print(page_text(trap("H08")).splitlines()[2])
    # H08 An operator works in place
    """
    seen = f"{translate(_IT_SAYS)}\n\n```text\n{trap.message}\n```\n" if trap.message else _silently(trap)
    parts = [
        _HEADER,
        f"# {trap.number} {translate(trap.title)}\n",
        f"**{translate('The trap.')}** {translate(trap.trap)}\n",
        f"**{translate('The reason.')}** {translate(trap.reason)}\n",
        f"**{translate('The remedy.')}** {translate(trap.remedy)}\n",
        f"## {translate(_WRONG if trap.message else _OTHER)}\n",
        f"```python\n{trap.wrong}\n```\n",
        seen,
        f"## {translate(_RIGHT)}\n",
        f"```python\n{trap.right}\n```\n",
    ]
    table = _instead(trap)
    if table:
        parts += [f"## {translate('What to write instead')}\n", table]
    parts.append(f"[{translate('All pages')}](README.md)\n")
    return "\n".join(parts)


def _silently(trap: Trap) -> str:
    kinds = ", ".join(f"`{kind}`" for kind in trap.kinds)
    text = translate("No error is raised. `d2lhybrid.check_hybridization(net, x)` reports this trap as {}.")
    return text.format(kinds) + "\n"


def _instead(trap: Trap) -> str:
    """Return the remedies that belong to a trap as a table."""
    rows = []
    for row in trap.rows:
        notes = [remedy(row, legacy) for legacy in (True, False)]
        if notes[0] is None:
            continue
        texts = [in_words(note or "") for note in notes]
        said = f"{texts[0]} {_of_np(texts[1])}" if texts[0] != texts[1] else texts[0]
        rows.append(f"| `{row}` | {said.replace('|', chr(92) + '|')} |")
    head = f"| {translate('in your code')} | {translate('instead')} |"
    return "\n".join([head, "|---|---|", *rows, ""]) if rows else ""


def _of_np(text: str) -> str:
    return translate("With Symbols of `np`: {}").format(text)


def index_text() -> str:
    """Return the list of all pages in Markdown, in the language of ``mx.config``."""
    lines = [
        _HEADER,
        f"# {translate('Errors and traps of hybridization')}\n",
        f"{translate(_INTRODUCTION)}\n",
        f"## {translate('Errors')}\n",
        *[f"- [{t.number}]({t.file_name}) {translate(t.title)}" for t in TRAPS.values() if t.message],
        f"\n## {translate('Silent traps')}\n",
        f"{translate(_SILENT)}\n",
        *[f"- [{t.number}]({t.file_name}) {translate(t.title)}" for t in TRAPS.values() if not t.message],
        "",
    ]
    return "\n".join(lines)


def main() -> None:
    """Write the pages of all traps and the list of pages to ``docs/errors``, and remove outdated pages."""
    folder = package.FOLDER.parent / "docs" / "errors"
    folder.mkdir(exist_ok=True)
    wanted = {t.file_name: page_text(t) for t in TRAPS.values()} | {"README.md": index_text()}
    for old in folder.glob("*.md"):
        if old.name not in wanted:
            old.unlink()
    for name, text in wanted.items():
        write_text(folder / name, text)


add_words({
    _IT_SAYS: "错误信息：", _WRONG: "这样不行", _OTHER: "这样能运行，但结果不同", _RIGHT: "这样可以",
    "The trap.": "陷阱。", "The reason.": "原因。", "The remedy.": "办法。",
    "What to write instead": "应当怎样写", "in your code": "原来的写法", "instead": "应改为",
    "All pages": "全部页面",
    "No error is raised. `d2lhybrid.check_hybridization(net, x)` reports this trap as {}.":
        "不会引发任何错误。`d2lhybrid.check_hybridization(net, x)` 会发现这个问题，类别是 {}。",
    "With Symbols of `np`: {}": "如果是 `np` 的 Symbol：{}",
    "Errors and traps of hybridization": "hybridize 的错误与陷阱", "Errors": "错误", "Silent traps": "不报错的陷阱",
    _INTRODUCTION: "每一页都说明发生了什么、为什么，以及应当怎样写，并附上两个程序：一个落入陷阱，一个避开陷阱。"
        "`d2lhybrid explain H03` 在终端里显示其中一页。导入 d2lhybrid 的"
        "笔记本会在错误信息上方显示对应的一页。",
    _SILENT: "这些陷阱不会引发错误。`d2lhybrid.check_hybridization(net, x)` 会发现这些陷阱，并指出是哪一页。",
})  # fmt: skip


if __name__ == "__main__":
    main()
