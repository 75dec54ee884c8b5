"""The oneDNN backend: the program remains Python over NumPy, and oneDNN computes the expensive operators.

Images are in channels-last layout (:mod:`..passes.put_channels_last`). Separate nodes pack the weights. In prediction,
these nodes run only once. An addition is fused into the convolution or dense layer before it. Operators that oneDNN
doesn't compute are compiled to C or, if there is no compiler, computed by NumPy.

oneDNN adds the terms of a sum in a different order than NumPy, so the last digits may differ. If terms close to the
largest number (3.4e38) cancel, the sum may overflow to infinity in one order but not in the other.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy

from d2lhybrid.error import MXNetError

from ...core.graph import Graph, TensorType
from ...core.node import Entry, Node
from ...ops.rnn import rnn_gradient
from ...support.install_commands import extra_command
from .. import onednn
from ..onednn.matmul import Dot
from ..passes.put_channels_last import put_channels_last
from ..passes.regions import fused
from ..passes.run_rnn_once import runs_of
from .c_compiler import find_compiler
from .c_program import CBackend
from .c_recurrent import recurrent_for_c
from .onednn_bodies import NUM_RESULTS, OneDnnBody, Plan, is_supported, plan_of

if TYPE_CHECKING:
    from ...core.backends import Passes
    from ...core.pipeline import Settings

__all__ = ["OneDnnBackend", "compute_with_onednn"]
CHINESE = ("用 oneDNN 计算", "把开销大的算子交给 oneDNN 计算：程序仍是调用 NumPy 的 Python 代码。")


class OneDnnBackend(CBackend):
    """The backend with oneDNN for convolutions, LSTM layers, and products, and C or NumPy for other operators."""

    name = "onednn"

    def check_available(self) -> None:
        """Raise an error if oneDNN isn't available.

        Raises
        ------
        MXNetError
            If oneDNN isn't available.
        """
        if not onednn.is_available():
            error = MXNetError(f"Error optimizing for backend 'onednn': {onednn.describe()}")
            error.add_note(
                "Unset the environment variable D2LHYBRID_ONEDNN."
                if onednn.is_disabled()
                else f"Install oneDNN with `{extra_command('fast')}` (Linux on x86), or set D2LHYBRID_ONEDNN to the "
                "path of a libdnnl 3 library."
            )
            raise error

    def passes(self, passes: Passes, settings: Settings) -> Passes:
        """Return the passes, with channels last, and with nodes assigned to oneDNN before other nodes are fused."""
        if settings.xp is not numpy:
            return passes
        found: list[tuple[str, Callable[[Graph], Graph]]] = []
        for name, run in super().passes(passes, settings) if find_compiler() else passes:
            if name == "assign layout":
                found.append(("put channels last", put_channels_last))
                continue
            if name.startswith("fuse"):
                found.append(("compute with oneDNN", compute_with_onednn))
            found.append((name, run))
        return found


def compute_with_onednn(graph: Graph) -> Graph:
    """Return the graph with all supported nodes computed by oneDNN.

    Of the recurrent layers, oneDNN computes only LSTM layers. The steps of the others are compiled to C if there is a
    compiler.

    Parameters
    ----------
    graph : Graph
        The graph.

    Returns
    -------
    Graph
        The new graph, or the same graph if nothing changes.
    """
    if find_compiler():
        graph = recurrent_for_c(graph, Dot(), leaving=["lstm"])
    nodes = [n for n in graph.nodes if n.op is not None and is_supported(n, [graph.types[e] for e in n.inputs])]
    return _Computing(graph).run() if nodes else graph


class _Computing:
    """One run of the pass, which replaces nodes that have a plan, packs weights, and fuses sums."""

    def __init__(self, graph: Graph) -> None:
        self.graph, self.types = graph, graph.types
        self.results = {n for n, _ in graph.roots}
        #: A new node -> its plan, and the nodes that it replaces.
        self.made: dict[Node, tuple[Plan, list[Node]]] = {}
        #: The gradient node of a recurrent layer -> its forward node, and the forward node -> the new node.
        self.run_of = runs_of(graph)
        self.runs: dict[Node, Node] = {}

    def run(self) -> Graph:
        return self.graph.rewrite(self.rule)

    def rule(self, node: Node, inputs: tuple[Entry, ...]) -> Sequence[Entry] | None:
        if node.op is None:
            return None
        total = self.with_sum(node, inputs)
        if total is not None:
            return [total]
        if node.op is rnn_gradient and self.run_of.get(node) not in self.runs:
            return None  # no forward node has kept the values that the gradient uses
        plan = plan_of(self.graph, node, node in self.run_of.values())
        if plan is None:
            return None
        given = [inputs[i] for i in plan.inputs]
        if plan.pack is not None:
            given[1] = self.packed(plan, node, given[1])
        if node in self.run_of:
            run = self.runs[self.run_of[node]]
            given += [(run, i) for i in (*range(NUM_RESULTS), run.num_outputs - 1)]
        new, _ = self.make(plan, [node], given)
        if plan.kept is not None:
            self.runs[node] = new
        return [(new, i) for i in range(node.num_outputs)]

    def packed(self, plan: Plan, node: Node, weight: Entry) -> Entry:
        """Return a node that packs weights. Its name contains the image size, on which the packing depends."""
        assert plan.pack is not None
        kind = TensorType((plan.pack.count,), numpy.dtype(numpy.float32))
        sizes = "x".join(str(n) for n in self.types[node, 0].shape)
        body = OneDnnBody("onednn_pack", [], [weight], [kind], plan.pack.run, "reorder")
        new = node.into(fused, (weight,), f"_packed_for_{sizes}", body=body)
        self.types.set(new, [kind])
        return new, 0

    def make(self, plan: Plan, nodes: list[Node], inputs: Sequence[Entry]) -> Entry:
        last = nodes[-1]
        types = [self.types[last, i] for i in range(last.num_outputs)] + ([plan.kept] if plan.kept else [])
        first = nodes[0].op
        label = f"onednn_{first.name.strip('_').lower()}" if first is not None else "onednn"
        body = OneDnnBody(label, nodes, inputs, types, plan.run, plan.implementation)
        new = last.into(fused, inputs, body=body)
        self.types.set(new, body.types)
        self.made[new] = plan, nodes
        return new, 0

    # --- fused sums ---

    def with_sum(self, node: Node, inputs: tuple[Entry, ...]) -> Entry | None:
        """Return a convolution or dense layer with a sum fused into it; None if the node isn't such a sum."""
        if not self.is_sum(node):
            return None
        for i, (before, _) in enumerate(inputs):
            plan, nodes = self.made.get(before, (None, []))
            if plan is not None and plan.adding is not None and self.is_private(nodes[-1]):
                return self.make(plan.adding(), [*nodes, node], [*before.inputs, inputs[1 - i]])
        return None

    def is_sum(self, node: Node) -> bool:
        """Return whether a node adds two arrays of the same shape."""
        if node.op is None or node.op.name not in ("elemwise_add", "broadcast_add", "_npi_add"):
            return False
        kinds = {self.types[e] for e in (*node.inputs, (node, 0))}
        return len(kinds) == 1 and len(node.inputs) == 2

    def is_private(self, node: Node) -> bool:
        """Return whether a value has a single user."""
        return node not in self.results and len(self.graph.users.get(node, [])) == 1
