"""Where this package shows something else than MXNet 1.9.1 on purpose: the table, with the reasons.

``docs/compatibility.md`` says the same in prose.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Difference:
    """One difference.

    Attributes
    ----------
    session : str
        The session in which it shows.
    what : str
        A probe (``>>> expression``), or a part of a text that MXNet prints.
    here : str
        What the probe shows here, or what is printed in that part's place.
    why : str
        The reason.
    """

    session: str
    what: str
    here: str
    why: str


DIFFERENCES: list[Difference] = [
    Difference(
        "gluon",
        "Block.__call__() got",
        "HybridBlock.__call__() got",
        "A hybrid block has a way of its own into a compiled program, and Python names it.",
    ),
    Difference(
        "tracing",
        ">>> n(nd.ones((1,)))",
        "[1. 1.] <NDArray 2 @cpu(0)>",
        "A graph without inputs runs; MXNet refuses it in code that is about gradients, which nobody asked for.",
    ),
    Difference(
        "tracing",
        ">>> y.asnumpy().dtype",
        "dtype('float16')",
        "NumPy multiplies float16 matrices on the CPU.",
    ),
]
