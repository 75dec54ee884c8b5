"""Advice on options and packages that would make a program faster, for ``net.explain()``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...error import MXNetError
from ..core.backends import BACKENDS
from ..support.machine import in_browser
from .costs import flops_of

if TYPE_CHECKING:
    from ..core.pipeline import Program

__all__ = ["advice"]

#: The number of operations below which the time of convolutions is negligible.
MANY = 1 << 24


def advice(program: Program) -> tuple[str, ...]:
    """Return sentences about options and packages that would make a program faster; empty without advice.

    Parameters
    ----------
    program : Program
        The program. Only programs of tier 0 for the backends ``"numpy"`` and ``"c"`` get advice.

    Examples
    --------
    >>> from d2lhybrid import nd
    >>> from d2lhybrid.gluon import nn
    >>> net = nn.Dense(3)
    >>> net.initialize()
    >>> net.hybridize()
    >>> y = net(nd.ones((2, 4)))
    >>> advice(net.programs[0])  # its products are NumPy's, which are as fast as any
    ()
    """
    if program.backend not in ("numpy", "c") or program.tier or in_browser():
        return ()
    if program.promotion is not None and program.promotion.forecast():
        return ()  # promotion does that automatically
    types = program.graph.types
    in_convolutions = sum(
        flops_of(node, types) for node in program.graph.nodes if node.op is not None and node.op.family == "convolution"
    )
    if in_convolutions < MANY:
        return ()
    share = f"{in_convolutions / 1e6:,.0f} million operations are convolutions"
    if "onednn" not in BACKENDS:
        return ()
    if _is_available("onednn"):
        return (f'{share}: net.hybridize(backend="onednn") computes them with oneDNN',)
    from ..support.install_commands import extra_command

    how = f'after {extra_command("fast")}, net.hybridize(backend="onednn") computes them with oneDNN'
    return (f"{share}: {how}",)


def _is_available(backend: str) -> bool:
    try:
        BACKENDS[backend]().check_available()
    except MXNetError:
        return False
    return True
