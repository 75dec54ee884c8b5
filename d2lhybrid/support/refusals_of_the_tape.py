"""What the tape says of a call that it refuses, in MXNet's words."""

from __future__ import annotations

__all__ = ["IN_PLACE", "NOT_IN_GRAPH", "NO_VARIABLES"]

NOT_IN_GRAPH = (
    "Check failed: !AGInfo: :IsNone(*i): Cannot differentiate node because it is not in a computational "
    "graph. You need to set is_recording to true or use autograd.record() to save computational graphs "
    "for backward. If you want to differentiate the same graph twice, you need to pass retain_graph=True "
    "to backward."
)
IN_PLACE = (
    "Check failed: AGInfo: :IsNone(*output): Assigning to NDArrays that are already in a computational "
    "graph will cause undefined behavior when evaluating gradients. Please call backward first to clear "
    "the graph or do this out side of a record section. Also note that you cannot use inplace operations "
    "like +=, *=, relu(x, out=x), y[idx]=x, etc inside a record section."
)
NO_VARIABLES = (
    "Check failed: xs.size() > 0 (0 vs. 0) : There are no inputs in computation graph that require gradients."
)
