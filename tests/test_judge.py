"""The judge of training programs finds what is wrong, raises no false alarm, and prints programs that run."""

from __future__ import annotations

import dataclasses
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy
import pytest
from judge.__main__ import main
from judge.generator import generate
from judge.judging import ANYTHING, LINE_BY_LINE, SINGLE, WITHOUT_ONEDNN, Finding, Judge, script
from judge.known import KNOWN, REPAIRS, freezes, known, line_by_line, repairs, without_onednn
from judge.plan import Batch, Line, Plan, Step, prelude
from judge.shrink import shrink
from judge.sides import Answer, Side, here, mxnet_python
from judge.verdict import difference

#: In one process, which starts each side once.
pytestmark = pytest.mark.xdist_group("judge")

ROOT = Path(__file__).resolve().parent.parent
with_mxnet = [
    pytest.mark.interop,
    pytest.mark.skipif(not mxnet_python(), reason="`make interop` installs MXNet and sets D2LHYBRID_MXNET_PYTHON"),
]


#: A program that is not the generator's, with more in it than the tests need.
PLAN = Plan(
    batch=Batch((("x", "numbers(seed, (n, 3))"),), (("y", "numbers(seed + 9, (n, 2))"),)),
    net=(
        Line("x = self.l0(x)", ("self.l0 = nn.Dense(4, activation='tanh')",)),
        Line("x = x * 2"),
        Line("x = self.l1(x)", ("self.l1 = nn.Dense(2)",)),
    ),
    loss="gluon.loss.L2Loss",
    loss_settings=(("weight", "2.0"),),
    optimizer="sgd",
    settings=(("learning_rate", "0.1"), ("momentum", "0.9")),
    steps=(
        Step(("note('STEP: prediction', net(*batch(SEED, SIZE)[0]))",), (("SEED", 3), ("SIZE", 2))),
        Step(
            (
                "inputs, labels = batch(SEED, SIZE)",
                "with autograd.record():",
                "    loss = measure(net(*inputs), *labels)",
                "loss.backward()",
                "trainer.step(SIZE)",
                "note('STEP: loss', loss)",
                "watch('STEP', net, trainer)",
                "AFTER",
            ),
            (("SEED", 5), ("SIZE", 4)),
            (("AFTER", "for p in parameters(net): p.zero_grad()"),),
        ),
    ),
    hybridize="static_alloc=True",
    scheduler="mx.lr_scheduler.FactorScheduler(1, 0.5)",
    changes=("for p in parameters(net)[:1]: p.lr_mult = 0.5",),
)


@pytest.fixture(scope="module")
def ours() -> Iterator[Side]:
    with here() as side:
        yield side


def answer(value: list[float], name: str = "0: loss", error: str = "") -> Answer:
    return Answer(((name, numpy.array(value, "float32")),), error)


def test_a_number_makes_the_same_program_every_time() -> None:
    assert generate(12) == generate(12)
    assert generate(12).text() == generate(12).text()
    assert generate(12).text() != generate(13).text()


def test_programs_run_here_to_their_end(ours: Side) -> None:
    """Most of them: some ask for what both sides refuse."""
    answers = [ours.ask(generate(seed).text()) for seed in range(12)]
    assert sum(not one.error for one in answers) >= 8, [one.error for one in answers]
    assert all(one.seen for one in answers if not one.error)


def test_a_difference_beyond_rounding_is_told() -> None:
    assert difference(answer([1, 2]), answer([1, 2.001])) == (
        "0: loss", "2.0 here, 2.001 in MXNet at 1 (1 of 2 differ)"
    )  # fmt: skip
    assert difference(answer([1, 2]), answer([1, 2.000001])) == ("", "")


def test_what_spreads_with_noise_is_rounding() -> None:
    ours, theirs = answer([1, 2]), answer([1, 2.001])
    assert difference(ours, theirs, [answer([1, 2.0005])]) == ("", "")
    assert difference(ours, theirs, [answer([1.0005, 2])])[0] == "0: loss"
    assert difference(ours, theirs, (), [answer([1, 2.0015])]) == ("", "")


def test_what_both_sides_lose_against_float64_is_rounding() -> None:
    """What one side alone loses is a difference."""
    both = Answer((("0: loss", numpy.array([1, 2.0004])),))
    assert difference(answer([1, 2]), answer([1, 2.001]), exact=both) == ("", "")
    for exact in ([1, 2.0], [1, 2.001]):
        one = Answer((("0: loss", numpy.array(exact)),))
        assert difference(answer([1, 2]), answer([1, 2.001]), exact=one)[0] == "0: loss"


def test_double_precision_is_compared_in_double_precision() -> None:
    def pair(value: float) -> Answer:
        return Answer((("0: loss", numpy.array([1.0, value])),))

    assert difference(pair(2.0), pair(2.000000001))[0] == "0: loss"
    assert difference(pair(2.0), pair(2.0 + 2e-15)) == ("", "")


def test_shapes_types_and_errors_are_compared() -> None:
    assert difference(answer([1]), answer([1, 2]))[1] == "shape (1,) here, (2,) in MXNet"
    rows = [Answer((("0: gradient, rows", numpy.array(which, "int64")),)) for which in ([], [1], [2])]
    assert difference(rows[0], rows[1])[1] == "shape (0,) here, (1,) in MXNet"
    assert difference(rows[0], rows[1], [rows[2]])[1] == "shape (0,) here, (1,) in MXNet"
    assert difference(rows[0], rows[1], [rows[1]]) == ("", "")  # rounding alone decides it
    assert difference(rows[0], rows[1], (), [rows[0]]) == ("", "")
    whole = Answer((("0: loss", numpy.array([1])),))
    assert difference(answer([1]), whole)[1] == "float32 here, int64 in MXNet"
    assert difference(answer([1]), answer([1], error="ValueError: no"))[1] == "no error here, ValueError: no in MXNet"
    assert difference(answer([1], error="ValueError: a"), answer([1], error="ValueError: b")) == ("", "")


def test_every_documented_difference_is_in_the_documentation() -> None:
    page = " ".join((ROOT / "docs" / "compatibility.md").read_text(encoding="utf-8").split())
    for words in [*(one.words for one in (*KNOWN, *REPAIRS)), ANYTHING, LINE_BY_LINE, SINGLE, WITHOUT_ONEDNN]:
        assert words in page


def test_a_rule_recognises_its_difference_alone() -> None:
    plan = dataclasses.replace(PLAN, optimizer="signum")
    nan, said = numpy.nan, "nan here, 2.0 in MXNet"
    theirs = Answer((("0: gradient of w", numpy.array([nan, 1])), ("0: w", numpy.array([2.0, 3]))))
    assert known(plan, "0: w", said, answer([1, 2]), theirs) == "**NaN stays NaN**"
    assert not known(plan, "0: w", said, answer([1, 2]), answer([1, 2], "0: w"))  # nothing was NaN in MXNet
    assert not known(plan, "0: w", "1.0 here, 2.0 in MXNet", answer([1, 2]), theirs)
    assert not known(dataclasses.replace(plan, optimizer="sgd"), "0: w", said, answer([1, 2]), theirs)


def test_a_gradient_of_a_loss_that_is_nan_is_known_where_the_loss_has_a_relu() -> None:
    plan = dataclasses.replace(PLAN, loss="gluon.loss.TripletLoss")
    name, said = "0: gradient of w", "0.0 here, nan in MXNet at 0"
    theirs = answer([1, float("nan")])
    assert known(plan, name, said, answer([1, 2]), theirs) == "`relu` at NaN"
    assert not known(PLAN, name, said, answer([1, 2]), theirs)
    assert not known(plan, name, said, answer([1, 2]), answer([1, 2]))  # nothing was NaN


def test_a_gradient_that_is_nan_and_reaches_a_window_is_known() -> None:
    pooled = Line("x = self.l1(x)", ("self.l1 = nn.MaxPool2D(2)",))
    plan = dataclasses.replace(PLAN, net=(PLAN.net[0], pooled))
    name, said = "0: gradient of input", "nan here, 0.0 in MXNet at (0, 0) (3 of 4 differ)"
    theirs = Answer((("0: loss", numpy.array([numpy.nan])), (name, numpy.array([0.0]))))
    assert known(plan, name, said, answer([1, 2]), theirs).startswith("**A gradient that is NaN or infinite**")
    assert not known(PLAN, name, said, answer([1, 2]), theirs)  # nothing pools
    assert not known(plan, name, "0.5 here, 0.0 in MXNet at 1", answer([1, 2]), theirs)
    assert not known(plan, name, said, answer([1, 2]), Answer(theirs.seen[1:]))  # nothing was NaN in MXNet


def test_an_error_of_mxnet_is_known_where_it_comes_first() -> None:
    plan = dataclasses.replace(PLAN, loss="gluon.loss.SDMLLoss", module=", True")
    theirs = answer([1], error="AttributeError: 'Symbol' object has no attribute 'shape'")
    assert known(plan, "error", "no error here, ...", answer([1, 2]), theirs) == "`SDMLLoss` of symbols"
    assert not known(plan, "error", "...", Answer(()), theirs)  # here, it went wrong before
    assert not known(PLAN, "error", "no error here, ...", answer([1, 2]), theirs)


def test_what_onednn_alone_does_is_documented_of_few_things() -> None:
    frozen = dataclasses.replace(PLAN, changes=("for p in parameters(net)[::2]: p.grad_req = 'null'",))
    assert without_onednn(frozen, "0: gradient of net_dense0_bias", Answer(()))
    assert not without_onednn(frozen, "0: gradient of net_dense0_weight", Answer(()))
    bias = "0: gradient of net_dense0_bias"
    assert without_onednn(frozen, "1: output", answer([0, 0], bias), answer([1, 2], bias))  # what followed from it
    assert not without_onednn(frozen, "1: output", answer([1, 2], bias), answer([1, 2], bias))
    assert not without_onednn(PLAN, "0: gradient of net_dense0_bias", Answer(()))
    assert without_onednn(PLAN, "error", Answer((), "MXNetError: could not execute a primitive"))
    assert not without_onednn(PLAN, "error", Answer((), "MXNetError: something else"))
    assert line_by_line("2: gradient of net_prelu0_alpha") and not line_by_line("2: net_prelu0_alpha")


def test_the_shrinker_leaves_what_matters() -> None:
    def shows(one: Plan) -> bool:
        return any("trainer.step" in line for step in one.steps for line in step.lines) and "nn.Dense(4" in one.text()

    small = shrink(PLAN, shows, 60)
    assert small.text().count("\n") < PLAN.text().count("\n")
    assert len(small.net) == len(small.steps) == 1
    assert not (small.changes or small.settings or small.hybridize or small.scheduler or small.loss_settings)
    assert not small.steps[0].extras and dict(small.steps[0].sizes) == {"SEED": 1, "SIZE": 1}


def test_a_process_that_hangs_or_dies_is_an_answer(ours: Side) -> None:
    with Side(ours.command, {}, seconds=15) as side:
        assert side.ask("import os; os._exit(3)").kind == "Died"
        assert side.ask("seen = []").error == ""
        side.seconds = 1
        assert side.ask("import time; time.sleep(1.2)").error == ""  # as on a machine that others keep busy
        side.seconds = 0.1
        deadlock = side.ask("import time; time.sleep(60)").error
        assert deadlock == "Hangs: for 1 seconds by the clock"
        side.seconds = 15
        assert side.ask("seen = []").error == ""
        side.seconds = 1
        assert side.ask("while True: pass").error == "Hangs: for 1 seconds of processor time"


def test_what_a_program_leaves_behind_stays_until_the_process_is_new(ours: Side) -> None:
    program = "import builtins, os\nimport mxnet as mx\nleft = hasattr(builtins, 'left')\nbuiltins.left = True\n"
    program += "seen = [('left', mx.nd.array([left]).asnumpy()), ('process', mx.nd.array([os.getpid()]).asnumpy())]"
    with Side(ours.command, {}) as side:
        first, second = side.ask(program), side.ask(program)
        side.anew()
        third = side.ask(program)
    assert [one.seen[0][1][0] for one in (first, second, third)] == [0, 1, 0]
    processes = [one.seen[1][1][0] for one in (first, second, third)]
    assert processes[0] == processes[1] != processes[2]


def test_what_is_printed_is_a_program_that_runs(tmp_path: Path) -> None:
    file = tmp_path / "finding.py"
    text = script(Finding(PLAN, "1: loss", "1 here, 2 in MXNet"))
    file.write_text(f"import d2lhybrid; d2lhybrid.as_mxnet()\n{text}", encoding="utf-8")
    done = subprocess.run([sys.executable, str(file)], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "1: loss" in done.stdout


def test_the_command_line_prints_programs_and_says_what_it_needs(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert main(["--seed", "3", "--seeds", "2", "--print"]) == 0
    assert capsys.readouterr().out.startswith("# seed 3\nimport mxnet as mx\n")
    monkeypatch.delenv("D2LHYBRID_MXNET_PYTHON", raising=False)
    assert main(["--seconds", "1"]) == 2
    assert "D2LHYBRID_MXNET_PYTHON" in capsys.readouterr().out


@pytest.fixture(scope="module")
def judge() -> Iterator[Judge]:
    with Judge() as both:
        yield both


def test_programs_of_every_kind_are_made() -> None:
    plans = [generate(seed) for seed in range(400)]
    texts = [plan.text() for plan in plans]
    assert {plan.dtype for plan in plans} == {"float32", "float64"}
    for words in ("mx.npx.set_np()", "BucketingModule", "CTCLoss", "nn.Dropout(0.5)", "adamw_update", "tiers='first'"):
        assert any(words in text for text in texts), words
    assert not any("Dropout(0.5)" in text and "autograd.record()" in text for text in texts)  # that one drops


def test_rows_of_sparse_gradients_are_seen(ours: Side) -> None:
    line = Line("x = self.l0(x)", ("self.l0 = nn.Embedding(5, 3, sparse_grad=True)",))
    words = Batch((("x", "whole(seed, (n, 2), 5)"),), PLAN.batch.labels)
    plan = dataclasses.replace(PLAN, batch=words, net=(line, PLAN.net[2]), changes=(), scheduler="")
    seen = ours.ask(plan.text())
    assert not seen.error
    rows = dict(seen.seen)["1: gradient of net_embedding0_weight, rows"]
    assert rows.dtype == "int64" and list(rows) == sorted(set(rows)) and len(rows) < 5


@pytest.mark.interop
@with_mxnet[1]
@pytest.mark.parametrize("seed", range(900, 912))
def test_both_sides_train_alike(seed: int, judge: Judge) -> None:
    finding = judge.judge(generate(seed))
    assert finding is None or finding.known, script(finding)


@pytest.mark.interop
@with_mxnet[1]
def test_modules_train_alike(judge: Judge) -> None:
    step = Step(
        ("mod.forward_backward(mx.io.DataBatch(*batch(SEED, SIZE)))", "mod.update()", "watch_module('STEP', mod)"),
        (("SEED", 5), ("SIZE", 3)),
    )
    plan = dataclasses.replace(
        PLAN, steps=(step, step), module=", True, True", scheduler="", optimizer="lars", settings=(("wd", "0.1"),)
    )
    assert judge.judge(plan) is None
    moved = dataclasses.replace(plan, optimizer="adam", settings=(("beta1", "0.9 if 'd2l' in nd.__name__ else 0.8"),))
    finding = judge.judge(moved)
    assert finding is not None and finding.name.startswith("0: state of net_dense0")


@pytest.mark.interop
@with_mxnet[1]
def test_a_wrong_optimizer_is_found(judge: Judge) -> None:
    """A program that asks whose side it is on trains otherwise there."""
    assert judge.judge(PLAN) is None
    setting = ("learning_rate", "0.1 if 'd2l' in nd.__name__ else 0.2")
    finding = judge.judge(dataclasses.replace(PLAN, settings=(setting,), scheduler=""))
    assert finding is not None and not finding.known
    assert finding.name == "1: net_dense0_bias"


@pytest.mark.interop
@with_mxnet[1]
@pytest.mark.parametrize("optimizer", ["nag", "ftml", "adam", "adamax"])
def test_programs_in_double_precision_agree_where_settings_are_held_in_single(optimizer: str, judge: Judge) -> None:
    steps = (PLAN.steps[1], *PLAN.steps)
    settings = (("learning_rate", "0.1"), ("wd", "0.01"), ("clip_gradient", "0.3"))
    plan = dataclasses.replace(PLAN, dtype="float64", optimizer=optimizer, settings=settings, steps=steps)
    finding = judge.judge(plan)
    assert finding is not None and finding.known == SINGLE


@pytest.mark.interop
@with_mxnet[1]
def test_the_eleventh_digit_of_a_program_in_double_precision_is_compared(judge: Judge) -> None:
    wrong = Line("x = x * (2 if 'd2l' in nd.__name__ else 2.00000000002)")
    plan = dataclasses.replace(PLAN, dtype="float64", net=(PLAN.net[0], wrong, PLAN.net[2]), steps=PLAN.steps[:1])
    finding = judge.judge(plan, 3)
    assert finding is not None and not finding.known


@pytest.mark.interop
@with_mxnet[1]
@pytest.mark.parametrize("call", ["F.log_softmax(x)", "F.Activation(x - 9, act_type='softrelu')"])
def test_approximations_of_onednn_are_known_by_their_repair(call: str, judge: Judge) -> None:
    """The log-softmax of one number is 0, and the soft ReLU of a number far below 0 is its exponential."""
    last = Line("x = self.l1(x)", ("self.l1 = nn.Dense(1)",))
    plan = dataclasses.replace(PLAN, net=(*PLAN.net[:2], last, Line(f"x = {call}")), steps=PLAN.steps[:1])
    finding = judge.judge(plan)
    assert finding is not None and finding.known == "MXNet's oneDNN build approximates some functions"


@pytest.mark.interop
@with_mxnet[1]
@pytest.mark.parametrize(("optimizer", "settings"), [("adadelta", ()), ("lbsgd", (("batch_scale", "2"),))])
def test_a_repair_of_mxnet_hides_nothing_else(
    optimizer: str, settings: tuple[tuple[str, str], ...], judge: Judge
) -> None:
    """What differs without it is documented, and with it, another difference is found all the same."""
    steps = tuple(dataclasses.replace(PLAN.steps[1], sizes=(("SEED", seed), ("SIZE", 4))) for seed in (5, 25, 45))
    plan = dataclasses.replace(PLAN, optimizer=optimizer, settings=settings, scheduler="", changes=(), steps=steps)
    finding = judge.judge(plan)
    assert finding is not None and finding.known, finding
    wrong = dataclasses.replace(plan, settings=(*settings, ("clip_gradient", "0.1 if 'd2l' in nd.__name__ else 0.01")))
    finding = judge.judge(wrong)
    assert finding is not None and not finding.known


# Programs of the judge in which something differed, and why: MXNet's, by a repair that takes it out, or rounding.
FOUND = {
    60002733: "A `Dense` or convolution whose weight is frozen, and whose bias is not",
    61000895: "a *hybridized* `PReLU` multiplies the gradient of its slopes",
    61001849: "A net hybridized with `static_alloc=True, static_shape=True` that is called several times under one",
    60004326: "",  # a saturated tanh, in a compiled program
    60002557: "",  # a soft ReLU far below 0
    60001977: "",  # NaN that arrives at clip
    71001322: "**A gradient that is NaN or infinite**",
    71001157: "`AdaDelta` does not change the gradient",  # and it asks for grad_req, but freezes nothing
}


@pytest.mark.interop
@with_mxnet[1]
@pytest.mark.parametrize("seed", FOUND)
def test_what_was_found_once_has_a_reason(seed: int, judge: Judge) -> None:
    finding = judge.judge(generate(seed))
    if FOUND[seed]:
        assert finding is not None
        assert FOUND[seed] in finding.known
    else:
        assert finding is None


@pytest.mark.interop
@with_mxnet[1]
def test_first_states_get_their_shapes_where_biases_are_added_apart(judge: Judge) -> None:
    plan = dataclasses.replace(generate(71001157), changes=("for p in parameters(net)[:2]: p.grad_req = 'null'",))
    assert not freezes(generate(71001157)) and freezes(plan)
    lines = "".join(one.lines for one in repairs(plan))
    assert "biased_apart" in lines
    assert not judge.theirs.ask(f"{prelude()}\n{lines}\n{plan.text()}").error
    judge.theirs.anew()


def test_noise_reaches_the_kernels_of_compiled_programs(ours: Side) -> None:
    line = Line("x = F.tanh(x * 0 + 0.7)")  # which noise in the layer before does not move
    plan = dataclasses.replace(PLAN, net=(PLAN.net[0], line), steps=PLAN.steps[:1], hybridize="plain")
    base, nothing, noisy = (ours.ask(plan.text(), rounding).seen[0][1] for rounding in (0.0, 1e-12, 3.0))
    numpy.testing.assert_allclose(nothing, base, 1e-6)
    assert (noisy != nothing).any()
    numpy.testing.assert_allclose(noisy, base, 2e-6)


def test_a_promoted_program_says_so_and_sees_the_same(ours: Side) -> None:
    plan = dataclasses.replace(PLAN, hybridize="plain")
    promoted = dataclasses.replace(plan, promoted=True)
    assert "mx.config(tiers='first')" in promoted.text()
    assert "mx.config" not in promoted.imperative.text()
    assert "LEAST_WORK = 0" in script(Finding(promoted, "0: loss", ""))
    first, second = ours.ask(plan.text()), ours.ask(promoted.text())
    assert not second.error
    assert difference(first, second) == ("", "")
