"""What the site adds to Sphinx: formulas without scripts, search for Chinese words, the way to the other language."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from docutils.utils.math.latex2mathml import tex2mathml
from sphinx.search.zh import SearchChinese

__all__ = ["setup"]

_CHINESE = "[\u3400-\u9fff]+"


class _SearchByPairs(SearchChinese):
    """Chinese has no spaces: what is looked up are Latin words, and every two neighbouring characters."""

    language_name = "English"  # whose stemmer the script is
    js_splitter_code = """
const wordsOf = (text) => text.match(/[\\u3400-\\u9fff]+|(?:(?![\\u3400-\\u9fff])[\\p{Letter}\\p{Number}_])+/gu) ?? [];
var splitQuery = (query) => wordsOf(query).flatMap((word) => {
  if (!/[\\u3400-\\u9fff]/.test(word) || word.length < 3) return [word];
  return [...word].slice(1).map((letter, i) => word[i] + letter);
});
"""

    def split(self, input: str) -> list[str]:
        words = re.findall(r"[A-Za-z0-9_]+", input)
        self.latin_terms.update(words)
        for run in re.findall(_CHINESE, input):
            words += [run[i : i + 2] for i in range(len(run) - 1)]
        return words


def _inline(translator: Any, node: Any) -> None:
    import docutils.nodes

    translator.body.append(f'<span class="math">{tex2mathml(node.astext())}</span>')
    raise docutils.nodes.SkipNode


def _display(translator: Any, node: Any) -> None:
    import docutils.nodes

    translator.body.append(f'<div class="math">{tex2mathml(node.astext(), as_block=True)}</div>')
    raise docutils.nodes.SkipNode


def _languages(app: Any, pagename: str, templatename: str, context: dict[str, Any], doctree: Any) -> None:
    """Tell a page where it stands in the other language: the same page if there is one, else the first."""
    chinese = app.config.language == "zh_CN"
    top = "../" * pagename.count("/") + ("../" if chinese else "zh/")
    there = Path(app.srcdir).parent / ("en" if chinese else "zh")
    exists = any((there / f"{pagename}{suffix}").exists() for suffix in (".md", ".ipynb", ".rst"))
    exists = exists or pagename in ("genindex", "search")
    context["other_language"] = top + (f"{pagename}.html" if exists else "index.html")
    context["is_chinese"] = chinese


def setup(app: Any) -> dict[str, Any]:
    """Connect all this with Sphinx."""
    app.add_search_language(_SearchByPairs)
    app.add_html_math_renderer("mathml", (_inline, None), (_display, None))
    app.config.html_math_renderer = "mathml"
    app.connect("html-page-context", _languages)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
