"""``mx.log``: loggers write a line as MXNet's do, to the terminal in colour or to a file."""

import logging
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import d2lhybrid as mx


@pytest.fixture
def name(request: pytest.FixtureRequest) -> Iterator[str]:
    name = f"test_log.{request.node.name}"
    yield name
    for handler in logging.getLogger(name).handlers:
        handler.close()


def test_a_line_says_level_time_process_and_place(name: str, capfd: pytest.CaptureFixture[str]) -> None:
    logger = mx.log.get_logger(name, level=mx.log.DEBUG)
    for level, beginning in (
        (10, "\x1b[34mD"),
        (20, "\x1b[32mI"),
        (30, "\x1b[31mW"),
        (40, "\x1b[31mE"),
        (50, "\x1b[31mC"),
    ):
        logger.log(level, "%d apples", 3)
        line = capfd.readouterr().err
        place = r"\d{4} \d\d:\d\d:\d\d \d+ \S+test_log\.py:test_a_line_\w+:\d+\]" + re.escape("\x1b[0m 3 apples\n")
        assert re.fullmatch(re.escape(beginning) + place, line), line
    logger.log(15, "between")
    assert capfd.readouterr().err.startswith("\x1b[34mU")


def test_what_is_less_important_is_left_out(name: str, capfd: pytest.CaptureFixture[str]) -> None:
    logger = mx.log.get_logger(name)
    logger.info("not this")
    logger.warning("this")
    assert capfd.readouterr().err.endswith("]\x1b[0m this\n")


def test_a_traceback_follows(name: str, capfd: pytest.CaptureFixture[str]) -> None:
    try:
        raise ValueError("no apples")
    except ValueError:
        mx.log.get_logger(name).exception("it failed")
    assert "it failed\nTraceback" in (told := capfd.readouterr().err) and told.endswith("ValueError: no apples\n")


def test_a_file_is_appended_to_without_colours(name: str, tmp_path: Path) -> None:
    path = tmp_path / "log"
    path.write_text("before\n", "utf-8")
    logger = mx.log.get_logger(name, str(path), level=mx.log.INFO)
    logger.info("3 apples")
    assert path.read_text("utf-8") == "before\n3 apples\n"
    again = mx.log.get_logger(name + " again", str(path), "w")
    again.warning("2 apples")
    again.handlers[0].close()
    assert path.read_text("utf-8") == "2 apples\n"


def test_a_logger_is_prepared_once(name: str, tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        mx.log.get_logger(name, str(tmp_path / "missing" / "log"))
    logger = mx.log.get_logger(name, level=mx.log.INFO)  # that it failed before is no matter
    assert mx.log.get_logger(name, str(tmp_path / "log"), level=mx.log.ERROR) is logger
    assert len(logger.handlers) == 1 and logger.level == logging.INFO


def test_the_logger_without_a_name_is_left_alone() -> None:
    before = list(logging.getLogger().handlers), logging.getLogger().level
    assert mx.log.get_logger(level=mx.log.DEBUG) is logging.getLogger()
    assert (list(logging.getLogger().handlers), logging.getLogger().level) == before


def test_the_old_name_warns(name: str) -> None:
    with pytest.warns(DeprecationWarning, match="Use get_logger instead") as caught:
        assert mx.log.getLogger(name, level=mx.log.ERROR).level == logging.ERROR
    assert caught[0].filename == __file__
