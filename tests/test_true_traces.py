"""What a trace of calls, its questions, and the pages of errors say is so: each sentence is compared with a run."""

from __future__ import annotations

import contextlib
import io
import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

import numpy
import pytest
from said import Ledger, texts_in

import d2lhybrid as mx
from d2lhybrid import nd, print_trace
from d2lhybrid.gluon import nn
from d2lhybrid.internals.pictures import extension, trial_inputs
from d2lhybrid.internals.pictures.both_ways import BothWays
from d2lhybrid.internals.pictures.error_lens import error_lens
from d2lhybrid.internals.pictures.limit import Overtime, time_limit
from d2lhybrid.internals.pictures.net_inspection import looked_up
from d2lhybrid.internals.pictures.print_trace_data import question_of
from d2lhybrid.internals.pictures.problem import problem_of, when_it_failed
from d2lhybrid.internals.support.words import translate

X = nd.array([[1.0, 2.0, 3.0], [-4.0, 5.0, 6.0]])
#: Parts of sentences and labels, and what scripts choose in a browser; tests in tests/browser look at these.
OF_SCRIPTS = {
    "Right: {answer}.", "{label}: {text}", "Not {chosen}, but {answer}.", "Think first:", "after:", "now:", "call {n}",
    "and {n} more",
    "Changes here apply to your net.", "Old: call {n} traced the net again.", "run cell [{n}], then this one",
    "run cells [{n}] to this one", "No cell has this line any more.",
}  # fmt: skip
LEDGER = Ledger(
    texts_in(
        "print_trace*.py", "predicting.py", "problem.py", "both_ways.py", "limit.py", "error_lens.py", "extension.py"
    )
    - OF_SCRIPTS
)
says, never = LEDGER.says, LEDGER.never


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("name", LEDGER.scenes)
def test_what_is_said_is_what_ran(name: str, lang: str) -> None:
    LEDGER.play(name, lang)


def test_every_sentence_is_compared() -> None:
    assert LEDGER.compared == LEDGER.texts


# --- nets, and their runs without a picture -------------------------------------------------------------------------


class Lines(nn.HybridBlock):
    def hybrid_forward(self, F: Any, x: Any) -> Any:
        y = F.relu(x)
        return y * 2


class Prints(nn.HybridBlock):
    def __init__(self, text: str = "one\ntwo", **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.text = text

    def hybrid_forward(self, F: Any, x: Any) -> Any:
        print(self.text)
        return x * 2


class Scaled(nn.HybridBlock):
    factor = 2

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.factor = 2

    def hybrid_forward(self, F: Any, x: Any) -> Any:
        return x * self.factor


class Holds(nn.Block):
    """A Block, whose own lines run in every call."""

    def __init__(self, part: Any, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.part = part

    def forward(self, x: Any) -> Any:
        return self.part(x)


class Says(Holds):
    def forward(self, x: Any) -> Any:
        print("called")
        return self.part(x)


class HybridHolds(nn.HybridBlock):
    def __init__(self, part: Any, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.part = part

    def hybrid_forward(self, F: Any, x: Any) -> Any:
        return self.part(x)


class Operator(mx.operator.CustomOp):
    """An operator of the user's own, which prints, and may fail."""

    runs = 0
    fails_in = 0

    def forward(self, is_train: Any, req: Any, in_data: Any, out_data: Any, aux: Any) -> None:
        Operator.runs += 1
        print("the operator ran")
        if Operator.runs == Operator.fails_in:
            raise ArithmeticError("of the operator")
        self.assign(out_data[0], req[0], in_data[0] * 2)


@mx.operator.register("operator_of_true_traces")
class OperatorProperties(mx.operator.CustomOpProp):
    def create_operator(self, ctx: Any, in_shapes: Any, in_dtypes: Any) -> Operator:
        return Operator()


class OwnOperator(nn.HybridBlock):
    def hybrid_forward(self, F: Any, x: Any) -> Any:
        return F.Custom(x, op_type="operator_of_true_traces")


def own_operator(fails_in: int = 0) -> OwnOperator:
    Operator.runs, Operator.fails_in = 0, fails_in
    return OwnOperator()


def lines_in(act: Callable[[], Any]) -> list[tuple[str, int]]:
    """Return each line of a net of this file that runs in an action, with the type of the input."""
    found: list[tuple[str, int]] = []

    def enter(frame: FrameType, event: str, _: Any) -> Any:
        if frame.f_code.co_filename != __file__ or frame.f_code.co_name not in ("forward", "hybrid_forward"):
            return None
        kind = type(frame.f_locals.get("x")).__name__

        def follow(frame: FrameType, event: str, _: Any) -> Any:
            if event == "line":
                found.append((kind, frame.f_lineno))
            return follow

        return follow

    before = sys.gettrace()
    sys.settrace(enter)
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            act()
    finally:
        sys.settrace(before)
    return found


def printed_in(act: Callable[[], Any]) -> str:
    """Return what an action prints."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        act()
    return out.getvalue()


def three_calls(net: Any, look: Callable[[Callable[[], Any]], Any]) -> list[Any]:
    """Return what a function finds in an eager call, and in the first two calls after hybridize()."""
    found = [look(lambda: net(X))]
    net.hybridize()
    return [*found, look(lambda: net(X)), look(lambda: net(X))]


# --- calls ----------------------------------------------------------------------------------------------------------

ARRAY = "Python runs every line, on arrays."
SYMBOL = "Python runs every line once more, on Symbols, which record it."
PROGRAM = "The compiled program runs. Python runs no line."
OPERATORS = "The compiled program runs. Python only runs the code of your own operators."
PARTS_SYMBOL = "Its own lines run on arrays; parts of it run on Symbols and are recorded."
PARTS_PROGRAM = "Its own lines run on arrays; parts of it are compiled programs."


def lanes(trace: Any) -> dict[str, str]:
    return {lane["key"]: lane["about"] for lane in trace.to_dict()["lanes"]}


@LEDGER.scene(SYMBOL, PROGRAM, PARTS_SYMBOL, PARTS_PROGRAM, OPERATORS, always=[ARRAY])
def a_lane_says_which_lines_run_in_its_calls() -> None:
    eager, traced, compiled = three_calls(Lines(), lines_in)
    assert [kind for kind, _ in eager] == ["NDArray"] * 2 and [kind for kind, _ in traced] == ["Symbol"] * 2
    assert [line for _, line in eager] == [line for _, line in traced] and not compiled
    told = lanes(print_trace(Lines(), X))
    says(told["array"], ARRAY)
    says(told["symbol"], SYMBOL)
    says(told["program"], PROGRAM)
    for text in (PARTS_PROGRAM, OPERATORS):
        never(told["program"], text)
    never(told["symbol"], PARTS_SYMBOL)

    runs = three_calls(Holds(Lines()), lines_in)
    assert [[kind for kind, _ in ran] for ran in runs] == [
        ["NDArray"] * 3,
        ["NDArray", "Symbol", "Symbol"],
        ["NDArray"],
    ]
    told = lanes(print_trace(Holds(Lines()), X))
    says(told["array"], ARRAY)
    says(told["symbol"], PARTS_SYMBOL)
    says(told["program"], PARTS_PROGRAM)
    for text in (SYMBOL, PROGRAM):
        never(told["symbol"] + told["program"], text)

    net = HybridHolds(Lines())
    with print_trace(net) as trace:
        for act, kinds in (
            (lambda: net(X), ["NDArray"] * 3),
            (lambda: (net.part.hybridize(), net(X)), ["NDArray", "Symbol", "Symbol"]),
            (lambda: net(X), ["NDArray"]),
        ):
            act()
            twin = HybridHolds(Lines())
            twin(X)
            if len(trace.calls) > 1:
                twin.part.hybridize()
            if len(trace.calls) > 2:
                twin(X)
            assert [kind for kind, _ in lines_in(lambda twin=twin: twin(X))] == kinds
    assert trace.calls[-1].lane == "program"
    says(lanes(trace)["program"], PARTS_PROGRAM)
    never(lanes(trace)["program"], PROGRAM)

    assert three_calls(own_operator(), printed_in)[-1] == "the operator ran\n"
    told = lanes(print_trace(own_operator(), X))
    says(told["program"], OPERATORS)
    never(told["program"], PROGRAM)


PRINTS = "How many lines will call {n} print?"
RUNS = "How many lines of yours will Python run in call {n}?"
NO_PRINT = "A print is not an operator, so the program has none."


@LEDGER.scene(PRINTS, RUNS, NO_PRINT)
def the_answer_to_a_question_is_what_the_call_does() -> None:
    for make, look, text, why in (
        (Prints, printed_in, PRINTS, True),
        (lambda: Says(Lines()), printed_in, PRINTS, False),
        (own_operator, printed_in, PRINTS, False),
        (Lines, lines_in, RUNS, False),
        (lambda: Holds(Lines()), lines_in, RUNS, False),
    ):
        before, _, found = three_calls(make(), look)
        count = len(found.splitlines()) if isinstance(found, str) else len(found)
        assert before and (count > 0) == (make not in (Prints, Lines))
        asked = question_of(print_trace(make(), X))
        assert asked is not None
        number, question = asked
        says(question.text, text, n=3)
        never(question.text, RUNS if text is PRINTS else PRINTS)
        assert number == 3 and question.options[question.answer] == str(count)
        (says if why else never)(question.why, NO_PRINT)
    net = Prints()
    with contextlib.redirect_stdout(io.StringIO()), print_trace(net) as trace:
        for active in (False, False, True, True):
            if active is not net._active:
                net.hybridize(active)
            net(X)
    asked = question_of(trace)
    assert asked is not None and [call.number for call in trace.calls if not call.visits] == [4]
    says(asked[1].text, PRINTS, n=4)
    net = Lines()
    with print_trace(net) as trace:
        net(X)
        assert question_of(trace) is None, "no call has run the program"
        net.hybridize()
        for _ in range(3):
            net(X)
            net.hybridize()
        net(X)
        net(X)
    assert [call.number for call in trace.calls if not lines_of_call(call)] == [6]
    asked = question_of(trace)
    assert asked is not None
    says(asked[1].text, RUNS, n=6)


def lines_of_call(call: Any) -> list[int]:
    return [line for visit in call.visits for line in visit.hits]


WHAT_NEXT = "{done}. What will the next call return?"


@LEDGER.scene(WHAT_NEXT)
def after_a_change_it_is_asked_what_the_next_call_returns() -> None:
    for hybridize, value, same in ((True, 7, True), (False, 7, False), (False, 9, False)):
        trace = print_trace(Scaled(), X, calls=3 if hybridize else 1)
        assert trace.to_dict()["next"] is None
        before = trace.net(X).asnumpy()
        trace.set_attribute("self.factor", str(value))
        says(trace.to_dict()["next"]["text"], WHAT_NEXT, done=f"net.factor = {value}")
        assert trace.net.factor == value
        trace.again()
        assert trace.calls[-1].same is same is bool((trace.net(X).asnumpy() == before).all())
        assert trace.to_dict()["next"] is None
    trace.hybridize()
    never(str(trace.to_dict()["next"]), WHAT_NEXT)


AFTER = "after {calls}"


@LEDGER.scene(AFTER)
def a_call_is_titled_with_what_was_done_before_it() -> None:
    net = Scaled()
    trace = print_trace(net, X, calls=2)
    trace.set_attribute("self.factor", "7")
    trace.again()
    titles = [line for line in trace.to_text().split("\n") if line.startswith(f"{translate('call')} ")]
    done = ["", "net.hybridize()", "net.factor = 7"]
    assert len(titles) == len(trace.calls) == len(done)
    for title, what in zip(titles, done, strict=True):
        if what:
            says(title, AFTER, calls=what)
        else:
            never(title, AFTER)
    assert net._active and net.factor == 7


OLD = "Not now: {what}. Traced again, as after net.hybridize(): {answer}"


@LEDGER.scene(OLD)
def a_check_says_that_the_program_is_older_than_an_attribute() -> None:
    trace = print_trace(Scaled(), X)
    before = trace.net(X).asnumpy()
    trace.look("check")
    assert trace.panel is not None
    never(trace.panel.about, OLD)
    for value in (5, 8):
        trace.set_attribute("self.factor", str(value))
        trace.again()
        assert (trace.net(X).asnumpy() == before).all() and (before == 2 * X.asnumpy()).all()
        trace.look("check")
        twin = Scaled()
        twin.factor = value
        assert (twin(X).asnumpy() == value * X.asnumpy()).all()
        what = translate(
            "{name} is frozen at {value}, although it is {now} now", name="self.factor", value=2, now=value
        )
        says(trace.panel.about, OLD, what=what, answer=looked_up(twin, (X,), "check").about)


LETTERS = "{n} more characters"


@LEDGER.scene(LETTERS)
def what_is_cut_of_a_printed_text_is_counted() -> None:
    for text in ("a" * 2500, "line\n" * 200, "b" * 100):
        printed = printed_in(lambda text=text: Prints(text)(X))
        trace = print_trace(Prints(text), X)
        assert trace.calls[0].printed == printed
        kept, sign, rest = trace.to_dict()["calls"][0]["printed"].partition(" …")
        assert printed.startswith(kept)
        if len(text) > 100:
            says(rest, LETTERS, n=len(printed) - len(kept))
        else:
            assert not sign and kept == printed
            never(kept, LETTERS)


MORE_RUNS = "further runs: {n}"


@LEDGER.scene(MORE_RUNS)
def runs_that_are_not_shown_are_counted() -> None:
    for count in (3, 14, 16):
        net = nn.HybridSequential()
        net.add(*(Lines() for _ in range(count)))
        runs = len(lines_in(lambda net=net: net(X))) // 2
        data = print_trace(net, X, calls=1).to_dict()
        (call,) = data["calls"]
        assert runs == count
        if count == 3:
            assert call["more"] == 0 and len(call["runs"]) == count
        else:
            # The script puts the number into the sentence.
            says(data["words"][MORE_RUNS].replace("{n}", str(call["more"])), MORE_RUNS, n=runs - len(call["runs"]))


MOST = "at most {n} numbers"


@LEDGER.scene(always=[MOST])
def no_more_numbers_are_tried_than_is_said() -> None:
    says(print_trace(Lines(), X).to_dict()["limit"][1], MOST, n="1,000,000")
    (x,) = trial_inputs.reshaped((X,), (1000, 1000))
    assert x.size == 1_000_000
    with pytest.raises(ValueError, match="at most 1,000,000 elements"):
        trial_inputs.reshaped((X,), (1_000_001,))


# --- errors ---------------------------------------------------------------------------------------------------------

EAGERLY = "The code fails when it runs eagerly."
TRACING = "The code fails while it is traced, with Symbols in place of arrays."
COMPILED = "The code fails in the compiled program."
WORKS = "It works eagerly."


class Fails(nn.HybridBlock):
    def __init__(self, on: str, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.on, self.part = on, Lines()

    def hybrid_forward(self, F: Any, x: Any) -> Any:
        x = self.part(x)
        if self.on in (type(x).__name__, "both"):
            raise ArithmeticError("as it was told")
        return x


@LEDGER.scene(EAGERLY, TRACING, COMPILED, WORKS)
def when_a_call_failed_is_said() -> None:
    for make, expected, works, number in (
        (lambda: Fails("both"), EAGERLY, False, 0),
        (lambda: Fails("Symbol"), TRACING, True, 1),
        (lambda: own_operator(fails_in=1), EAGERLY, False, 0),
        (lambda: own_operator(fails_in=2), COMPILED, False, 1),
        (lambda: own_operator(fails_in=3), COMPILED, False, 2),
    ):
        net, failed = make(), []
        for call in range(3):
            if call == 1:
                net.hybridize()
            try:
                failed.append(lines_in(lambda net=net: net(X)))
            except (ArithmeticError, mx.MXNetError):
                break
        assert len(failed) == number, "the call that fails"
        trace = print_trace(make(), X)
        assert len(trace.calls) == number + 1 and trace.calls[-1].kind == "failed"
        told = when_it_failed([call.lane for call in trace.calls])
        says(told, expected)
        for text in {EAGERLY, TRACING, COMPILED} - {expected}:
            never(told, text)
        (says if works else never)(told, WORKS)
    net = Fails("Symbol")
    net.hybridize()
    with contextlib.suppress(ArithmeticError), print_trace(net) as trace:
        net(X)
    told = when_it_failed([call.lane for call in trace.calls])
    says(told, TRACING)
    never(told, WORKS)


INVALID = "This is not a valid program yet."
ENDLESS = "Does the loop on this line come to an end?"
INITIALIZE = "Call net.initialize() first."


@LEDGER.scene(INVALID, ENDLESS, INITIALIZE)
def a_problem_is_what_python_finds() -> None:
    for text, wrong in (("x = (1", True), ("x = 1", False)):
        try:
            compile(text, "a cell", "exec")
            problem = problem_of(ArithmeticError("another error"), "a cell", "")
            assert not wrong
        except SyntaxError as error:
            assert wrong
            problem = problem_of(error, "a cell")
        (says if wrong else never)(problem.when, INVALID)
        never(str(problem.instead), ENDLESS)
        never(str(problem.instead), INITIALIZE)
    with pytest.raises(Overtime) as over, time_limit(0.01):
        goes_on()
    says(str(problem_of(over.value, __file__).instead), ENDLESS)
    net = nn.Dense(2, in_units=3)
    with pytest.raises(RuntimeError) as raised:
        net(X)
    says(str(problem_of(raised.value, __file__).instead), INITIALIZE)
    net.initialize()
    assert net(X).shape == (2, 2)


def goes_on() -> None:
    while True:
        pass


STOPPED = "The code was stopped, because it did not end within {n:g} seconds."


@LEDGER.scene(STOPPED)
def what_is_stopped_says_its_limit() -> None:
    for seconds in (0.01, 0.02):
        with pytest.raises(Overtime) as over, time_limit(seconds):
            goes_on()
        says(str(over.value), STOPPED, n=seconds)
    with time_limit(600):
        Lines()(X)


SAME, DIFFER = "The same in both ways.", "Not the same!"
IT_FAILS, HYBRIDIZED_FAILS = "It fails.", "The hybridized call fails."


def fails_always(F: Any, x: Any) -> Any:
    return 1 / 0


@LEDGER.scene(SAME, DIFFER, IT_FAILS, HYBRIDIZED_FAILS)
def two_ways_are_compared() -> None:
    for function, expected in (
        (lambda F, x: F.relu(x), SAME),
        (lambda F, x: x[0], DIFFER),
        (lambda F, x: x * (2 if F is nd else 3), DIFFER),
        (lambda F, x: x.T, HYBRIDIZED_FAILS),
        (fails_always, IT_FAILS),
    ):
        results = []
        for active in (False, True):
            net = nn.HybridLambda(function)
            net.hybridize(active)
            try:
                results.append(net(X).asnumpy())
            except Exception as error:
                results.append(error)
        eager, hybridized = results
        told = BothWays(function, X).verdict
        failed = isinstance(hybridized, Exception)
        assert (expected in (IT_FAILS, HYBRIDIZED_FAILS)) == failed
        if expected == HYBRIDIZED_FAILS:
            assert not isinstance(eager, Exception)
        if not failed:
            assert (expected == SAME) == numpy.array_equal(eager, hybridized)
        says(told, expected)
        assert told == translate(expected)
        for text in {SAME, DIFFER, HYBRIDIZED_FAILS} - {expected}:
            never(told, text)
        if expected in (SAME, DIFFER):
            never(told, IT_FAILS)


LINE = "line {n}"
FRAMES = "    … {n} frames inside d2lhybrid are in the explanation above."


def raised_by(net: Any) -> Exception:
    net.hybridize()
    try:
        net(X)
    except Exception as error:
        return error
    raise AssertionError("the net does not fail")


class Transposes(nn.HybridBlock):
    def hybrid_forward(self, F: Any, x: Any) -> Any:
        return x.T


class Divides(nn.HybridBlock):
    def hybrid_forward(self, F: Any, x: Any) -> Any:
        y = x + 1
        return y // 2


@LEDGER.scene(LINE, FRAMES)
def an_error_has_its_line_and_its_frames() -> None:
    package = str(Path(mx.__file__).parent)
    for net in (Transposes(), Divides()):
        error = raised_by(net)
        steps = traceback.extract_tb(error.__traceback__)
        own = [step.lineno for step in steps if step.filename == __file__]
        says(error_lens(error).where, LINE, n=own[-1])
        frames = [f"File {step.filename}:{step.lineno}, in {step.name}" for step in steps]
        for cut in (frames, frames[2:]):
            # Frames that follow one another are one line.
            counts = "".join("#" if package in frame else " " for frame in cut).split()
            told = "\n".join(extension._folded([type(error).__name__, *cut, str(error)]))
            for count in counts:
                says(told, FRAMES, n=len(count))
    never("\n".join(extension._folded(["Error", f"File {__file__}:1, in forward", "of the net"])), FRAMES)
