"""A check for unregistered blocks in lists, tuples, and dictionaries that are attributes of a block."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING, Any

from ..util import warn_user

if TYPE_CHECKING:
    from .block import Block

__all__ = ["warn_of_containers"]

#: Attributes that the check skips: a block's children, and the blocks that a trace went through.
_OWN = frozenset({"_block_calls", "_children"})


def warn_of_containers(block: Block) -> None:
    """Warn about attributes that contain unregistered blocks, which ``initialize`` and ``hybridize`` do not reach.

    Parameters
    ----------
    block : Block
        The block whose attributes are checked, including nested lists, tuples, and dictionaries.
    """
    from .block import Block

    children = {id(child) for child in block._children.values()}
    for name, value in vars(block).items():
        if isinstance(value, list | tuple | dict) and name not in _OWN and _holds_blocks(value, children, Block):
            warn_user(
                f'"{type(block).__name__}.{name}" is an unregistered container with Blocks. Note that Blocks inside '
                "the list, tuple or dict will not be registered automatically. Make sure to register them using "
                "register_child() or switching to nn.Sequential/nn.HybridSequential instead. "
            )


def _holds_blocks(value: Any, children: Collection[int], kind: type) -> bool:
    """Return whether nested containers hold blocks whose ids are not in ``children``."""
    looked_at: set[int] = set()
    left = [value]
    while left:
        container = left.pop()
        if not isinstance(container, list | tuple | dict) or id(container) in looked_at:
            continue
        looked_at.add(id(container))
        for part in container.values() if isinstance(container, dict) else container:
            if isinstance(part, kind) and id(part) not in children:
                return True
            left.append(part)
    return False
