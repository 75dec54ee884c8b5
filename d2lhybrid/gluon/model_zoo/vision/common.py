"""Code shared by the networks: sequences of layers, and pretrained parameters."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from d2lhybrid.context import cpu
from d2lhybrid.error import MXNetError

from ...contrib.nn import HybridConcurrent
from ...hybrid_block import HybridBlock
from ...nn import HybridSequential

if TYPE_CHECKING:
    from d2lhybrid.typing import Tensor

__all__ = ["DEFAULT_ROOT", "Classifier", "branches", "load_pretrained", "row"]

#: The folder where MXNet stores downloaded parameters.
DEFAULT_ROOT = str(Path("~/.mxnet/models").expanduser())


def row(*blocks: Any, prefix: str = "") -> HybridSequential:
    """Create a sequential container of blocks.

    Parameters
    ----------
    *blocks : HybridBlock
        The blocks.
    prefix : str
        The prefix of the container. With the default ``""``, the container adds nothing to the names of the blocks.

    Returns
    -------
    HybridSequential
        The container.
    """
    sequence = HybridSequential(prefix=prefix)
    sequence.add(*blocks)
    return sequence


def branches(*blocks: Any, prefix: str = "") -> HybridConcurrent:
    """Create a container of parallel blocks that concatenates the blocks' outputs along the channel axis.

    Parameters
    ----------
    *blocks : HybridBlock
        The blocks. Each block receives the same input.
    prefix : str
        The prefix of the container.

    Returns
    -------
    HybridConcurrent
        The container.
    """
    concurrent = HybridConcurrent(axis=1, prefix=prefix)
    concurrent.add(*blocks)
    return concurrent


class Classifier(HybridBlock):
    """The base class of networks that consist of ``features`` and of ``output``, which computes the class scores."""

    features: Any
    output: Any

    def hybrid_forward(self, F: Any, x: Any) -> Tensor:
        """Compute the scores of all classes."""
        return self.output(self.features(x))


def load_pretrained(net: Any, name: str, pretrained: bool, root: str = DEFAULT_ROOT, ctx: Any = None) -> Any:
    """Load pretrained parameters of a network from a file if requested, and return the network.

    Parameters
    ----------
    net : HybridBlock
        The network.
    name : str
        Name of the model. The file is ``name.params`` or ``name-<hash>.params``.
    pretrained : bool
        Whether to load pretrained parameters.
    root : str
        The folder with the file.
    ctx : Context or list of Context, optional
        The devices of the parameters; the CPU by default.

    Returns
    -------
    HybridBlock
        The network.

    Raises
    ------
    MXNetError
        If the file does not exist. This function does not download it.
    """
    if not pretrained:
        return net
    folder = Path(root).expanduser()
    paths = sorted([*folder.glob(f"{name}.params"), *folder.glob(f"{name}-*.params")])
    if not paths:
        error = MXNetError(f"Pretrained parameters of {name} are not in {folder}")
        error.add_note(
            f"d2lhybrid does not download models. Put MXNet's parameter file of {name} into this folder, call the "
            "function without pretrained=True and train, or load parameters with net.load_parameters(...)."
        )
        raise error
    net.load_parameters(str(paths[0]), ctx=cpu() if ctx is None else ctx)
    return net
