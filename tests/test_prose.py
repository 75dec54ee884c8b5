"""``make check`` finds the phrases that ``docs/style.md`` avoids, in texts and in docstrings, and not in code."""

import pytest

from d2lhybrid.internals.support.plural import agree, counted
from d2lhybrid.internals.support.words import translate, translated_pattern
from tests.prose import findings_in
from tests.reading_ease import reading_ease


def test_a_phrase_is_found_with_its_line_and_what_to_write():
    (found,) = findings_in("# A title\n\nThe memory belongs to whoever\nasked for it.\n")
    assert (found.line, found.phrase) == (3, "whoever") and "actor" in found.instead


def test_code_is_not_read():
    assert not findings_in("Call `whoever()`.\n\n```python\nwhoever = 1  # whoever\n```\n")
    assert not findings_in("whoever = mended\n", is_python=True)


def test_docstrings_and_comments_are_read():
    text = 'def f():\n    """Ask whoever knows."""\n    return 1  # the mended line\n'
    found = findings_in(text, is_python=True)
    assert [(one.line, one.phrase) for one in found] == [(2, "whoever"), (3, "mended")]


def test_numbers_agree_with_their_nouns():
    assert (counted(1, "call"), counted(0, "call"), counted(2, "match")) == ("1 call", "0 calls", "2 matches")
    assert agree("{n} more lines of {m} programs", {"n": 1, "m": 3}) == "{n} more line of {m} programs"
    assert agree("{n} is 1 of {all} inputs", {"n": 1, "all": 1}) == "{n} is 1 of {all} input"
    assert agree("{name} calls {count} times", {"name": 1, "count": "1"}) == "{name} call {count} time"
    assert agree("{n:,} values", {"n": 1000}) == "{n:,} values"
    assert translate("{n} calls compared", n=1) == "1 call compared"


def test_a_singular_is_translated_like_its_plural():
    from d2lhybrid.util import config

    with config(lang="zh"):
        import d2lhybrid.internals.pictures.reasons  # noqa: F401  its words

        texts = [translated_pattern(f"and {n}", ["and {n} more changes"]) for n in ("1 more change", "2 more changes")]
    assert texts == ["以及另外 1 处变化", "以及另外 2 处变化"]


@pytest.mark.parametrize(
    ("text", "words", "sentences", "syllables"),
    [
        ("The cat sat. It ate `a_long_name(1)`.\n", 6, 2, 6),
        ("# A title\n\nOne line\n\n| a | table |\n\n- an item\n- another item\n", 6, 3, 10),
        ("```python\ncode = here\n```\n\nWanted: [a link](there.md).\n", 3, 2, 4),
    ],
)
def test_reading_ease_counts_prose_alone(text, words, sentences, syllables):
    ease = reading_ease(text)
    assert (ease.words, ease.sentences, ease.syllables) == (words, sentences, syllables)
