"""The fuzzer finds what it is there for, raises no false alarm, and prints programs that run."""

from __future__ import annotations

import contextlib
import dataclasses
import io
import random
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy
import pytest
from fuzz import noise, prelude, samples
from fuzz.__main__ import main
from fuzz.builder import Builder
from fuzz.campaign import run_seed
from fuzz.compare import difference
from fuzz.generator import generate
from fuzz.modes import MODES
from fuzz.program import Array, Block, Input, Program, Statement
from fuzz.running import Finding, Reference, check, draws_aside, flavoured, graph_takes, script
from fuzz.shrink import shrink
from fuzz.steps import Step, use_text

from d2lhybrid import autograd, nd, np
from d2lhybrid.internals.core import pipeline
from d2lhybrid.name import NameManager

ROOT = Path(__file__).resolve().parent.parent


#: The modes that every test run tries; each program runs in two of them, one after the other.
TESTED = [name for name, mode in MODES.items() if not (mode.gpu or mode.judge or mode.missing)]


@pytest.mark.parametrize("first", range(0, 240, 20))
def test_random_programs_do_the_same_in_every_mode(first: int) -> None:
    """A few hundred of the programs that ``make fuzz`` tries by the thousand."""
    for seed in range(first, first + 20):
        modes = [TESTED[(2 * seed + i) % len(TESTED)] for i in range(2)]
        for finding in run_seed(seed, modes).findings:
            pytest.fail(
                f"seed {seed}: make fuzz FUZZ='--seed {seed} --count 1 --modes {finding.mode}'\n{script(finding)}"
            )


def program_of(
    lines: list[tuple[str, ...]], outputs: str, shape: tuple[int, ...] = (4, 3), step: str = "record"
) -> Program:
    """Return a program: each line is its target, its expression and the values that it uses."""
    statements = tuple(Statement(tuple(target.split()), text, tuple(used)) for target, text, *used in lines)
    block = Block("Net", ("x0",), statements, tuple(outputs.split()))
    return Program("nd", (block,), (Input("x0", Array("normal", (4, 3), "float32")),), (Step(step),))


def test_every_kind_of_statement_that_is_promised_is_made() -> None:
    """Such as are not operators, or not of every day."""
    wanted = {
        "Transpose(", "sparse_grad=True", "Bent()", "op_type='two_sums'", "half(nn.", "float16", "'add'",
        "create_graph",
        "p.grad_req = 'add'", "autograd.grad(G",
    }  # fmt: skip
    for seed in range(2000):
        with contextlib.redirect_stdout(io.StringIO()):
            reference = generate(seed)
        if reference is not None:
            text = reference.program.class_text() + use_text(reference.program)
            wanted = {words for words in wanted if words not in text}
        if not wanted:
            return
    pytest.fail(f"never made: {wanted}")


def test_a_number_makes_the_same_program_every_time() -> None:
    first, second = generate(12), generate(12)
    assert first is not None and second is not None
    assert first.program == second.program
    assert [(n, a.tobytes()) for n, a, _ in first.seen] == [(n, a.tobytes()) for n, a, _ in second.seen]


@pytest.fixture(autouse=True)
def _names_of_its_own() -> Iterator[None]:
    """Leave the numbers in the names of symbols to the tests that look at them."""
    with NameManager():
        yield


@pytest.fixture
def broken(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Return a function that breaks the compiler: minus becomes plus."""

    def wrong(graph: Any) -> Any:
        def rule(node: Any, inputs: Any) -> Any:
            if node.op is not None and node.op.name == "_rminus_scalar":
                return [graph.make("_plus_scalar", node.name, inputs, **node.params)]
            return None

        return graph.rewrite(rule)

    return lambda: monkeypatch.setattr(pipeline, "PASSES", [*pipeline.PASSES, ("wrong", wrong)])


LONG = program_of(
    [
        ("v1", "F.exp({0})", "x0"),
        ("v2", "F.tanh({0})", "v1"),
        ("v3", "1 - {0}", "v2"),
        ("v4", "F.concat({0}, {1}, dim=0)", "v3", "v1"),
        ("v5 w5", "F.split({0}, num_outputs=2, axis=0)", "v4"),
        ("v6", "F.sum({0}, axis=1)", "v3"),
    ],
    "v6 w5 v2",
    "predict",
)


def test_a_wrong_pass_is_found_and_shrunk_to_its_line(broken: Callable[[], None]) -> None:
    reference = Reference(LONG)
    assert check(reference, "hybrid", {}) is None
    broken()
    finding = check(reference, "hybrid", {})
    assert finding is not None
    small = shrink(finding).program
    assert [s.template for s in small.net.statements] == ["1 - {0}"]
    assert len(small.inputs) == len(small.net.outputs) == len(small.steps) == 1


def test_what_is_printed_is_a_program_that_shows_the_finding(tmp_path: Path) -> None:
    text = script(Finding(LONG, "hybrid", {("compiler.passes.assign_layout", "FEW_COLUMNS"): 4}, "something"))
    file = tmp_path / "finding.py"
    file.write_text(text, encoding="utf-8")
    done = subprocess.run([sys.executable, str(file)], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    other = "class Other(gluon.HybridBlock):\n    def hybrid_forward(self, F, x):\n        return x, x, x\n\n\n"
    text = text.replace("net.hybridize()", 'net = Other(prefix="net_")').replace("class Net", f"{other}class Net")
    file.write_text(text, encoding="utf-8")
    done = subprocess.run([sys.executable, str(file)], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "AssertionError" in done.stderr


def test_rounding_is_told_from_wrong_numbers() -> None:
    """The difference of nearly equal numbers is noise; a wrong digit of a number that is certain is not."""
    program = program_of(
        [("v1", "{0} + 1e6", "x0"), ("v2", "{0} - 1e6", "v1"), ("v3", "{0} * 3", "x0")], "v2 v3", step="predict"
    )
    reference = Reference(program)
    runs = reference.noisy(8, 1.5)

    def with_error(index: int, relative: float) -> list[Any]:
        return [(n, a * (1 + relative) if i == index else a, c) for i, (n, a, c) in enumerate(reference.seen)]

    assert not difference(reference.seen, with_error(0, 1e-2), runs)
    assert difference(reference.seen, with_error(1, 1e-5), runs)


def test_random_numbers_that_nobody_uses_are_no_part_of_a_graph() -> None:
    """An eager net draws them nevertheless, so that what follows is drawn differently; MXNet's graphs do the same."""
    twice = [("d0", "self.layer(x0)"), ("d1", "self.layer(x0)")]

    def program(output: str) -> Program:
        statements = tuple(Statement((n,), t, (), None, ("self.layer = nn.Dropout(0.5)",)) for n, t in twice)
        block = Block("Net", ("x0",), statements, (output,))
        return Program("nd", (block,), (Input("x0", Array("normal", (4, 3), "float32")),), (Step("train"),))

    assert draws_aside(program("d1"))
    both = dataclasses.replace(program("d1").blocks[0], outputs=("d0", "d1"))
    assert not draws_aside(dataclasses.replace(program("d1"), blocks=(both,)))


def with_a_sample(flavour: str, function: str, values: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[Builder]:
    """Yield programs of one call of a function of samples, whose inputs are of a few values that are there."""
    calls = [call for call in samples._calls(flavour) if call[0] == function]
    monkeypatch.setattr(samples, "_calls", lambda flavour: calls)
    for seed in range(20):
        with flavoured(flavour):
            builder = Builder(random.Random(seed), flavour)
            for _ in range(2):
                builder.new_input(values)
            if samples.add_samples(builder) is not None:
                yield builder


def test_no_graph_computes_a_state(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is an error in a hybridized net, of this package and of MXNet, and none in an eager one."""
    few = Array("normal", (3,), "float32")
    made = list(with_a_sample("nd", "F.contrib.quantized_batch_norm", few, monkeypatch))
    assert made
    for builder in made:
        assert set(builder.statements[-1].arguments[3:5]) <= {i.name for i in builder.inputs}


def test_no_matrix_with_equal_rows_is_decomposed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rounding decides where its vectors point."""
    one = Array("normal", (1,), "float32")  # all rows of a matrix that is made of one number are equal
    made = list(with_a_sample("np", "F.np._internal.svd", one, monkeypatch))
    assert made
    for builder in made:
        matrices = builder.values[builder.statements[-1].arguments[0]].asnumpy()
        assert numpy.linalg.matrix_rank(matrices).min() == matrices.shape[-2]


def test_a_graph_may_want_equal_shapes_where_an_eager_call_stretches() -> None:
    given = program_of([("v", "F.maximum({0}, {1})", "x0", "h")], "v")
    halves = Statement(("h",), "F.slice({0}, begin=(None,), end=(None,), step=(4,))", ("x0",))
    block = dataclasses.replace(given.blocks[0], statements=(halves, *given.blocks[0].statements))
    program = dataclasses.replace(given, blocks=(block,))
    assert graph_takes(program, [Array("normal", (1, 3), "float32")])
    assert not graph_takes(program, [Array("normal", (4, 3), "float32")])


def test_a_function_that_comes_close_to_one_may_stop_before() -> None:
    with noise.noise(0, 24.0):
        assert (nd.sigmoid(nd.full((64,), 30)).asnumpy() < 1).any()
    with noise.noise(0, 1.5):
        assert (nd.sigmoid(nd.full((64,), 30)).asnumpy() == 1).all()


def test_gradients_that_cancel_leave_crumbs_of_what_was_largest() -> None:
    """``2 - 2 + r`` is ``r``, and ``2 + r - 2`` nearly: a tape adds in one order, a graph in another."""
    found = []
    for k in range(8):
        x = nd.ones((3,))
        x.attach_grad()
        with noise.noise(k, 1.5), autograd.record():
            y = x * 0.0349 + (x * 2 + x * -2)
        with noise.noise(k, 1.5):
            y.backward()
        found.append(x.grad.asnumpy())
    assert 1e-8 < max(abs(g - 0.0349).max() for g in found) < 1e-5


def test_products_that_cancel_leave_crumbs_unless_they_are_exact() -> None:
    """The common factor of the products rounds; moving it alone moves all products alike."""
    whole, factor = np.array([[2.0], [1.0], [-3.0]]), np.array([[0.1]])
    with noise.noise(0, 1.5):
        rounded = [abs(float(np.einsum("ij,jk->k", whole, factor))) for _ in range(8)]
        exact = [float(np.einsum("ij,jk->k", whole, np.ones((1, 1)))) for _ in range(8)]
    assert 1e-9 < max(rounded) < 1e-6 and exact == [0] * 8


def test_numbers_that_are_exact_stay_so_in_noise() -> None:
    program = program_of(
        [("v1", "F.ones_like({0}) * 1.5", "x0"), ("v2", "F.floor({0})", "v1")], "v1 v2", step="predict"
    )
    reference = Reference(program)
    for run in reference.noisy(4, 4.0):
        assert all((a == b).all() for (_, a, _), (_, b, _) in zip(run[:2], reference.seen[:2], strict=True))


def test_noise_leaves_no_trace() -> None:
    program = dataclasses.replace(LONG, steps=(Step("record"), Step("second")))
    before = Reference(program).seen
    with noise.noise(3):
        moved = Reference(program).seen
    after = Reference(program).seen
    assert all(a.tobytes() == b.tobytes() for (_, a, _), (_, b, _) in zip(before, after, strict=True))
    assert any(a.tobytes() != b.tobytes() for (_, a, _), (_, b, _) in zip(before, moved, strict=True))


def test_a_result_that_shares_memory_is_found() -> None:
    """In the eager program a reshape is a view; of a program's results this may not be so."""
    scope = prelude.namespace()
    x = scope["nd"].ones((2, 3))
    scope["apart"]([x, x * 1], [], ())
    with pytest.raises(AssertionError, match="output 0 shares memory with output 1"):
        scope["apart"]([x, x.reshape((3, 2))], [], ())


def test_the_command_line_counts_and_refuses_modes_that_it_does_not_know(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--seed", "3", "--count", "2", "--modes", "late"]) == 0
    assert capsys.readouterr().out.startswith("seeds 3 to 4: 2 programs, 2 runs, 0 findings")
    with pytest.raises(SystemExit):
        main(["--modes", "nonsense"])
    assert "'nonsense'" in capsys.readouterr().err


def test_every_mode_is_text_that_runs() -> None:
    reference = Reference(LONG)
    for name, mode in MODES.items():
        if not (mode.gpu or mode.judge or mode.missing):
            assert check(reference, name, {}) is None, name


@pytest.mark.interop
@pytest.mark.skipif(bool(MODES["mxnet"].missing), reason="real MXNet is not installed: make interop")
def test_real_mxnet_judges() -> None:
    """What both compute alike is no finding; what MXNet computes otherwise is, and what it refuses is not."""
    assert check(Reference(LONG), "mxnet", {}) is None
    wrong = program_of([("v1", "{0} * (1 if F.__name__.startswith('d2l') else 2)", "x0")], "v1")
    finding = check(Reference(wrong), "mxnet", {})
    assert finding is not None and "output" in finding.text
    refused = program_of([("v1", "F.sort({0}) if F.__name__.startswith('d2l') else F.no_such({0})", "x0")], "v1")
    assert check(Reference(refused), "mxnet", {}) is None
