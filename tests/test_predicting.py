"""Questions of lessons: the answer is computed, and said only once somebody has chosen."""

from __future__ import annotations

import pytest

import d2lhybrid as mx


def test_the_answer_is_computed_once_and_what_it_prints_is_kept(capsys):
    called = []
    asked = mx.predict("?", lambda: called.append(1) or print("hidden") or 7, choices=[6, 7], why="so it is")
    assert (asked.question.answer, asked.printed, called) == (1, "hidden\n", [1])
    assert not capsys.readouterr().out
    assert "so it is" not in asked.to_text()
    page = asked.to_html()
    assert "<details>" in page and page.index("<summary") < page.index("so it is")
    assert asked.to_dict()["open"] is False


def test_where_nobody_is_asked_the_answer_is_there():
    with mx.config(ask=False):
        asked = mx.predict("?", lambda: "b", choices=["a", "b"], why="so it is")
        assert asked.to_dict()["open"] is True and asked.to_dict()["question"]["answer"] == 1
        assert asked.to_text().endswith("b. so it is") and "<details open>" in asked.to_html()


def test_an_answer_that_cannot_be_chosen_is_a_mistake_of_the_lesson():
    with pytest.raises(ValueError, match="The answer is 8, which is not among the choices 6, 7"):
        mx.predict("?", lambda: 8, choices=[6, 7])


def test_it_can_be_asked_in_chinese():
    with mx.config(lang="zh"):
        words = mx.predict("?", lambda: 1, choices=[1]).to_dict()["question"]["words"]
    assert all(any("\u4e00" <= letter <= "\u9fff" for letter in word) for word in words.values())
