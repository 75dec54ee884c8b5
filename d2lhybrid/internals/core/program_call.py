"""A call of a hybridized net on the tape: one node, whose gradients the program's backward function computes."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from ...context import Context
from ..device import array_modules
from ..device.readiness import ready, run_again
from ..support import events
from ..support.scopes import Scope
from . import parallel, tape
from .fallback_call import call_again, drawing_orders, raw_vjp_by_operator
from .invoke import wrap
from .pipeline import Program
from .sparse_rows import Kind, Rows, add_rows, named_rows

if TYPE_CHECKING:
    from .cached_op import CachedOp

__all__ = ["ProgramCall"]

_state = tape.state


class ProgramCall(tape.TapeNode):
    """A call of a compiled program, in which a whole net is one node of the tape."""

    __slots__ = (
        "arrays", "cached", "ctx", "draws", "in_arena", "key", "named", "outputs", "program", "raws", "residuals",
        "rows",
    )  # fmt: skip
    starts = property(lambda self: self.program.starts)

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
        #: The function whose arena holds the residuals. No other call may use this function until the residuals are
        #: released.
        self.in_arena: Callable[..., Any] | None = None
        #: The state of the random generator before the call; None on a GPU, or if the call draws no random numbers.
        self.draws: Any = None
        #: The signature of the call.
        self.key: Any = None
        #: Index of an input -> the rows of its gradient, for gradients that are row-sparse in the last backward walk.
        self.rows: dict[int, Rows] = {}
        #: Index of an input -> the arrays that contain the numbers of these rows. The arrays are read lazily, because a
        #: dense gradient doesn't need row numbers.
        self.named: dict[int, list[tuple[Kind, Any]]] = {}

    def raw_vjp(self, output_grads: list[Any], needs: tuple[bool, ...]) -> Sequence[Any]:
        """Return the inputs' gradients from the program's backward function.

        If gradients arrive at unexpected outputs, this method differentiates the graph operator by operator instead,
        unless the call drew random numbers on a GPU.
        """
        program = self.program
        given = tuple([g is not None for g in output_grads])
        self.rows, self.named = {}, {}
        # A GPU's random numbers can't be reproduced.
        if given != program.heads and (self.draws is not None or not drawing_orders(program)):
            self.cached.expect_heads(self.key, given)
            return self._by_operator(output_grads, needs)
        source = program.backward
        assert source is not None
        xp = array_modules.module_of(self.outputs[0])
        heads = [xp.zeros_like(y) if g is None else g for g, y in zip(output_grads, self.outputs, strict=True)]
        heads = list(itertools.compress(heads, program.heads))
        if self.ctx.device_typeid == 2:
            heads = ready(heads, self.ctx)
        inputs = self.raws[: len(self.arrays)]
        undone = self._undo_updates([inputs[i] for i in program.backward_states]) if _state.moved else []
        extra = [array_modules.generator(self.ctx)] if source.uses_generator else []
        given = (*inputs, *self.residuals, *heads, *extra)
        run = events.program_called.first(source.function, source, source.function)
        try:
            if source.threaded and parallel.threads.crowded():
                results = parallel.threads.limited(run, *given)
            else:
                results = run(*given)
        except MemoryError as error:
            _, results = run_again(source, given, self.ctx, error)
        grads: list[Any] = [None] * len(self.arrays)
        for i, value in zip(program.gradient_of, results, strict=False):
            grads[i] = value
        places, values = program.backward_states, results[len(program.gradient_of) :]
        self.cached._write_states(inputs, places, values, True)
        for raw, _, _ in undone:
            _state.moved[self, id(raw)] = self, None
        for i, named_by in program.rows_named_by.items():
            for kind, is_input, place in named_by:
                by = self.arrays[place] if is_input else wrap(type(self.arrays[i]), results[place], self.ctx)
                self.named.setdefault(i, []).append((kind, by))
        return grads

    def _by_operator(self, output_grads: list[Any], needs: tuple[bool, ...]) -> Sequence[Any]:
        """Run the graph again operator by operator, and return the gradients of this run."""
        undone = self._undo_updates(self.raws) if _state.moved else []
        grads = raw_vjp_by_operator(self, output_grads, needs)
        for raw, value, entry in undone:
            if _state.moved.setdefault((self, id(raw)), entry) is entry:  # this run reached no layer with the state
                self.cached._write_states([raw], [0], [value], True)
        return grads

    def _undo_updates(self, states: Sequence[Any]) -> list[tuple[Any, Any, Any]]:
        """Undo the updates that operator-by-operator runs of this call have made in the same backward walk.

        Such a run reaches only some of the layers that share a state. This walk reaches all of them, and updates the
        state in the order of an eager walk.

        Returns
        -------
        list of tuple
            For each restored state: its array, its updated value, and the entry of the update in ``tape.state.moved``.
        """
        undone = []
        for raw in states:
            _, before = _state.moved.get((self, id(raw)), (None, None))
            if before is not None:
                undone.append((raw, raw.copy(), _state.moved.pop((self, id(raw)))))
                self.cached._write_states([raw], [0], [before], True)
        return undone

    def rows_of(self, i: int, given: Sequence[Rows]) -> Rows:
        """Return the stored rows of an input's gradient, or None for a dense gradient."""
        for kind, by in self.named.pop(i, ()):
            add_rows(self.rows, i, named_rows(kind, by, self.arrays[i].shape[0]))
        return self.rows.get(i)

    def vjp(self, F: Any, output_grads: list[Any], needs: tuple[bool, ...]) -> Sequence[Any]:
        """Return the inputs' gradients, as arrays that can be differentiated again.

        A program can't be differentiated twice, but its graph can. Therefore, the graph runs again, operator by
        operator, while the operators are recorded.
        """
        with Scope(_state, recording=True, training=self.program.graph.training):
            # Each input gets its own gradient. If the caller passed an array twice, it is two inputs.
            arrays = [F.as_legacy(a) for a in self.arrays]
            arrays = [F._copy(a) if wanted else a for a, wanted in zip(arrays, needs, strict=True)]
            leaves = [a for a, wanted in zip(arrays, needs, strict=True) if wanted]
            outputs = call_again(self, arrays)
            pairs = [(y, g) for y, g in zip(outputs, output_grads, strict=True) if g is not None and tape.is_tracked(y)]
            found = tape.gradients_of([y for y, _ in pairs], leaves, [g for _, g in pairs])
        grads = iter(found)
        return [next(grads) if wanted else None for wanted in needs]

    def release(self) -> None:
        """Drop everything that the call keeps for the backward pass, and free its arena."""
        super().release()
        self.arrays, self.raws, self.outputs, self.residuals, self.named = [], [], [], (), {}
        self._give_back()

    def _give_back(self) -> None:
        """Release the arena to other calls after the residuals have been used or become unreachable."""
        run = getattr(self, "in_arena", None)  # also None if the constructor failed
        workspaces = None if run is None else self.program.forward.workspaces
        if run is not None and workspaces is not None:
            self.in_arena = None
            workspaces.give(run)

    def __del__(self) -> None:
        self._give_back()
