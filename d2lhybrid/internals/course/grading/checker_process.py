"""A checker in a separate process, which must judge known answers correctly before it judges submissions."""

from __future__ import annotations

import contextlib
import json
import os
import queue
import subprocess
import sys
import threading
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from ...support import package
from ...support.search_path import absolute_entries
from ..exercises import exercises
from ..exercises.results import Part, Result, State
from .marks import Limits
from .patience import crowding
from .protection import lack_of, missing_layers
from .scratch import remove_of
from .stage import stage_folder

__all__ = ["CheckerProcess", "MachineryError", "Stopped"]


class MachineryError(RuntimeError):
    """An error about a machine that judges known answers wrongly, so that its verdicts are not reliable."""


class Stopped(Exception):
    """An error that is raised if a checker is stopped before its verdict."""


class CheckerProcess:
    """A checker in a separate process, which is replaced by a new process if it ends unexpectedly."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[str] | None = None
        self._lines: queue.Queue[str | None] = queue.Queue()
        self._stopped = False

    def _start(self, limits: Limits) -> None:
        paths = [str(package.FOLDER.parent), *absolute_entries(os.environ.get("PYTHONPATH", ""))]
        threads = {f"{name}_NUM_THREADS": "1" for name in ("OMP", "OPENBLAS", "MKL")}
        process = subprocess.Popen(
            [sys.executable, "-P", "-m", "d2lhybrid.internals.course.grading.checker", str(stage_folder())],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            encoding="utf-8",
            env={**os.environ, "PYTHONPATH": os.pathsep.join(paths), **threads},
            start_new_session=True,
        )
        lines: queue.Queue[str | None] = queue.Queue()

        def read() -> None:
            assert process.stdout is not None
            with contextlib.suppress(ValueError, OSError), process.stdout as stream:
                for line in stream:
                    lines.put(line)
            lines.put(None)

        self._reader = threading.Thread(target=read, daemon=True)
        self._reader.start()
        self._lines, self._process = lines, process
        if self._stopped:
            process.kill()
        try:
            self._prove_itself(limits)
        except BaseException:
            self.close(kill=True)
            if self._stopped:
                raise Stopped from None
            raise

    def _prove_itself(self, limits: Limits) -> None:
        """Check the verdicts on a right and a wrong answer.

        Raises
        ------
        MachineryError
            If a verdict is wrong, or if answers are not trusted and this machine cannot protect files from answers.
        """
        if (missing := missing_layers()) and not limits.trusted:
            raise MachineryError(f"this system has {lack_of(missing)} to protect files from answers")
        try:
            ready = self._receive(60 * crowding())
        except queue.Empty:
            ready = None
        if ready != {"ready": True}:
            raise MachineryError("the process that judges answers did not start")
        known = exercises()[0]
        wrong = f"def {known.answer}(numbers):\n    return 0"
        for code, state in ((known.solution_code, State.RIGHT), (wrong, State.WRONG)):
            try:
                found = self._ask(known.number, [(code, True)], [0], limits)
            except queue.Empty:
                raise MachineryError("the process that judges answers did not reply") from None
            if found is None or found["state"] != state.value:
                verdict = "not judged" if found is None else f"judged as {found['state']!r}: {found['message']}"
                raise MachineryError(f"an answer that is known to be {state} was {verdict}")

    def _receive(self, seconds: float) -> Any:
        line = self._lines.get(timeout=seconds)
        return None if line is None else json.loads(line)

    def _ask(self, number: str, cells: Sequence[tuple[str, bool]], seed: list[int], limits: Limits) -> Any:
        """Return the process's verdict on an answer, or None if the process has ended."""
        process = self._process
        assert process is not None and process.stdin is not None
        work = {"number": number, "cells": cells, "seed": seed, **asdict(limits)}
        try:
            process.stdin.write(json.dumps(work) + "\n")
            process.stdin.flush()
        except OSError:
            return None
        while True:
            found = self._receive((limits.seconds + limits.checking) * crowding())
            if found != {"again": True}:  # the check starts again, without the question that ended the answer's process
                return found

    def judge(self, number: str, cells: Sequence[tuple[str, bool]], seed: list[int], limits: Limits) -> Result:
        """Return the verdict on an answer, even if the answer ends its process or the checker's process.

        Parameters
        ----------
        number : str
            Number of the exercise.
        cells : sequence of (str, bool)
            The student's cells, each with a bool, which is True for the answer cell.
        seed : list of int
            Seed of the random inputs.
        limits : Limits
            Limits for the answer.

        Returns
        -------
        Result
            The verdict, whose state is ``State.ERROR`` if the answer ended a process, or if checking took too long.

        Raises
        ------
        MachineryError
            If verdicts on this machine are not reliable.
        Stopped
            If :meth:`stop` was called meanwhile.
        """
        for _ in range(2):  # the process may have ended for another reason than the answer
            if self._stopped:
                raise Stopped
            if self._process is None or self._process.poll() is not None:
                self.close(kill=True)
                self._start(limits)
            try:
                found = self._ask(number, cells, seed, limits)
            except queue.Empty:
                self.close(kill=True)
                return Result(number, State.ERROR, "Checking the answer's result took too long.")
            if found is not None:
                parts = tuple(Part(**part) for part in found["parts"])
                return Result(number, State(found["state"]), found["message"], tuple(found["details"]), parts)
            self.close(kill=True)
        if self._stopped:
            raise Stopped
        return Result(number, State.ERROR, "The answer's result could not be checked: the checker ended.")

    def stop(self) -> None:
        """End the process immediately, from another thread; waiting calls of :meth:`judge` raise :class:`Stopped`."""
        self._stopped = True
        process = self._process
        if process is not None:
            process.kill()

    def close(self, kill: bool = False) -> None:
        """End the checker process and the process of its current answer."""
        process, self._process = self._process, None
        if process is None:
            return
        with contextlib.suppress(OSError):
            assert process.stdin is not None
            if kill:
                process.kill()
            process.stdin.close()
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        self._reader.join(5)
        remove_of(process.pid)
