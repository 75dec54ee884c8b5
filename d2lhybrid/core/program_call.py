"""A call of a hybridized net on the tape: the whole net is one node, which goes back by the backward program."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from .. import autograd
from ..context import Context
from ..device import backend, threads
from ..device.readiness import ready, run_again
from ..errors import MXNetError
from ..ndarray.ndarray import NDArray
from . import events, tape
from .by_operator import evaluate
from .invoke import wrap
from .pipeline import Program

if TYPE_CHECKING:
    from .cached_op import CachedOp

__all__ = ["CallByOperator", "ProgramCall", "joined"]

_state = tape.state


class ProgramCall(tape.TapeNode):
    """A call of a compiled program on the tape: the whole net is one node."""

    __slots__ = ("arrays", "cached", "ctx", "draws", "in_arena", "key", "outputs", "program", "raws", "residuals")

    def __init__(
        self,
        program: Program,
        parents: Sequence[Any],
        arrays: list[Any],
        raws: list[Any],
        outputs: list[Any],
        residuals: Sequence[Any],
        ctx: Context,
        cached: CachedOp,
    ) -> None:
        super().__init__(parents, program.num_outputs)
        self.program, self.arrays, self.raws = program, arrays, raws
        self.outputs, self.residuals, self.ctx, self.cached = outputs, residuals, ctx, cached
        #: The function whose arena holds the residuals: nobody else may use it until they are used up.
        self.in_arena: Callable[..., Any] | None = None
        #: The state of the random generator before the call, None if nothing is drawn (or on a GPU).
        self.draws: Any = None
        #: The signature of the call.
        self.key: Any = None

    def raw_vjp(self, output_grads: list[Any], needs: tuple[bool, ...]) -> Sequence[Any]:
        """Run the backward program."""
        program = self.program
        given = tuple([g is not None for g in output_grads])
        # What a GPU has drawn cannot be drawn again.
        if given != program.heads and (self.draws is not None or not _drawing(program)):
            self.cached.expect_heads(self.key, given)
            return self._raw_vjp_by_operator(output_grads, needs)
        source = program.backward
        assert source is not None
        xp = backend.module_of(self.outputs[0])
        heads = [xp.zeros_like(y) if g is None else g for g, y in zip(output_grads, self.outputs, strict=True)]
        heads = list(itertools.compress(heads, program.heads))
        if self.ctx.device_typeid == 2:
            heads = ready(heads, self.ctx)
        inputs = self.raws[: len(self.arrays)]
        extra = [backend.generator(self.ctx)] if source.uses_generator else []
        given = (*inputs, *self.residuals, *heads, *extra)
        run = events.program_called.first(source.function, source, source.function)
        try:
            if source.threaded and threads.crowded():
                results = threads.limited(run, *given)
            else:
                results = run(*given)
        except MemoryError as error:
            _, results = run_again(source, given, self.ctx, error)
        grads: list[Any] = [None] * len(self.arrays)
        for i, value in zip(program.gradient_of, results, strict=False):
            grads[i] = value
        self.cached._write_states(inputs, program.backward_states, results[len(program.gradient_of) :], True)
        return grads

    def _raw_vjp_by_operator(self, output_grads: list[Any], needs: tuple[bool, ...]) -> Sequence[Any]:
        """Run the graph again operator by operator: the program is made for gradients that arrive at other outputs.

        Zeros in their place would not do. A layer that no gradient reaches makes no update, and zero times infinity
        is no number.
        """
        arrays, leaves = [], []
        for raw, wanted in zip(self.raws, needs, strict=False):
            arrays.append(wrap(NDArray, raw, self.ctx))
            if wanted:
                arrays[-1]._tape = (tape.Variable(None, "write"), 0)
                leaves.append(arrays[-1])
        with autograd.record(train_mode=self.program.graph.training):
            outputs = self._again(arrays)
        grads = [None if g is None else wrap(NDArray, g, self.ctx) for g in output_grads]
        pairs = [(y, g) for y, g in zip(outputs, grads, strict=True) if g is not None and tape.is_tracked(y)]
        arrived = tape.gradients([y for y, _ in pairs], [g for _, g in pairs], False, False, tape.state.training)
        found = iter([arrived.get(leaf._tape) for leaf in leaves])
        return [next(found) if wanted else None for wanted in needs]

    def _again(self, arrays: Sequence[Any]) -> list[Any]:
        """Run the graph operator by operator; draw the same random numbers, in the order of the program."""
        known = dict(zip(self.cached.names, arrays, strict=True))
        traced = self.program.stages[0].graph.outputs  # the graph as it was traced, with every size found
        drawing = _drawing(self.program)
        if not drawing:
            return evaluate(traced, known, self.ctx)
        if self.draws is None:
            raise MXNetError(
                "On a GPU, a hybridized net that draws random numbers cannot be differentiated twice: call "
                "net.hybridize(False)"
            )
        with backend.drawing_from(self.draws):
            return evaluate(traced, known, self.ctx, drawing, unroll=False)

    def vjp(self, F: Any, output_grads: list[Any], needs: tuple[bool, ...]) -> Sequence[Any]:
        """Run the graph again operator by operator, recorded, and differentiate that.

        A program cannot be differentiated, the graph it was made from can.
        """
        with autograd.record(train_mode=self.program.graph.training):
            # The gradient of each input on its own: an array that was passed twice is two of them.
            arrays = [F.as_legacy(a) for a in self.arrays]
            arrays = [F._copy(a) if wanted else a for a, wanted in zip(arrays, needs, strict=True)]
            leaves = [a for a, wanted in zip(arrays, needs, strict=True) if wanted]
            outputs = self._again(arrays)
            pairs = [(y, g) for y, g in zip(outputs, output_grads, strict=True) if g is not None]
            pairs = [(y, g) for y, g in pairs if tape.is_tracked(y)]
            found = autograd.grad([y for y, _ in pairs], leaves, [g for _, g in pairs], create_graph=True)
        grads = iter(found)
        return [next(grads) if wanted else None for wanted in needs]

    def release(self) -> None:
        """Drop everything that was kept for the backward pass."""
        super().release()
        self.arrays, self.raws, self.outputs, self.residuals = [], [], [], ()
        self._give_back()

    def _give_back(self) -> None:
        """Let others use the arena: called once the residuals are used up, or nobody can reach them any more."""
        run = getattr(self, "in_arena", None)  # None, too, if it was never made to the end
        workspaces = None if run is None else self.program.forward.workspaces
        if run is not None and workspaces is not None:
            self.in_arena = None
            workspaces.give(run)

    def __del__(self) -> None:
        self._give_back()


class CallByOperator(tape.TapeNode):
    """A call without a program on the tape: its results, and the arrays that it was given, as parents of one node.

    An array that no result depends on is given zeros, as by a program.
    """

    def vjp(self, F: Any, output_grads: list[Any], needs: tuple[bool, ...]) -> Sequence[Any]:
        """Hand on what arrives."""
        return [*output_grads, *[None] * (len(needs) - len(output_grads))]

    def raw_vjp(self, output_grads: list[Any], needs: tuple[bool, ...]) -> Sequence[Any]:
        """Do the same."""
        return self.vjp(None, output_grads, needs)


def joined(results: Sequence[Any], arrays: Sequence[Any]) -> list[Any]:
    """Return arrays with the same numbers, which are on the tape as results of one call, if there is anything there."""
    parents = [a._tape if a._tape is not None and not a._tape[0].released else None for a in [*results, *arrays]]
    if not _state.recording or all(ref is None for ref in parents[: len(results)]):
        return list(results)
    node = CallByOperator(parents, len(results))
    found = []
    for i, result in enumerate(results):
        array = wrap(NDArray, result._data, result._ctx)
        array._tape = None if parents[i] is None else (node, i)
        found.append(array)
    return found


def _drawing(program: Program) -> list[str]:
    """Return the names of the operators of a program that draw random numbers, in their order."""
    nodes = program.forward.line_nodes
    drawing = dict.fromkeys(nodes[line] for line in sorted(nodes))
    return [node.name for node in drawing if node.op is not None and node.op.draws(node.params)]
