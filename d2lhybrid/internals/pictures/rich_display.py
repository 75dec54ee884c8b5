"""The notebook display of a net or a large array, below its printed text.

The HTML repeats the printed text exactly, and adds further information. An array whose elements are all printed has
no HTML.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

import numpy

from ..device import array_modules
from ..support.words import add_words, translate
from .html import details, element, escape, table

if TYPE_CHECKING:
    from ...gluon.block import Block
    from ...ndarray.ndarray import NDArray

__all__ = ["array_html", "net_html"]

#: The maximum number of elements that are examined, evenly spread over a larger array.
_LOOKED_AT = 2**22
#: The maximum number of layers in the table of a net.
_MOST_LAYERS = 100
#: Bars of a histogram, from few to many elements.
_BARS = "▁▂▃▄▅▆▇█"
#: The style of other text outputs; both variables are JupyterLab's, and have no effect elsewhere.
_AS_PRINTED = (
    "margin: 0; padding: 0; border: none; background: none; color: inherit; "
    "font-size: var(--jp-code-font-size); line-height: var(--jp-code-line-height)"
)


def _printed(text: str, *below: str) -> str:
    """Return the HTML of a printed text, followed by further HTML."""
    return element("div", element("pre", escape(text), style=_AS_PRINTED), *below)


# --- a net ------------------------------------------------------------------------------------


def net_html(net: Block) -> str:
    """Return the printed form of a net, followed by a collapsible table of its layers, parameters, and programs.

    Parameters
    ----------
    net : Block
        The net. The function neither calls the net nor reads the values of its parameters.
    """
    layers = list(_layers(net, "", set()))
    parameters = {id(p): p for _, _, own in layers for p in own}.values()
    known = [_size(p) for p in parameters]
    count = f"{sum(filter(None, known)):,}"
    said = [
        translate("layers: {n}", n=len(layers)),
        translate("parameters: {n}, without those that the first call finds", n=count)
        if None in known
        else translate("parameters: {n}", n=count),
    ]
    said.append(_compiled(net, (block for _, block, _ in layers)))
    seen: set[int] = set()
    rows = []
    for path, block, own in layers[:_MOST_LAYERS]:
        fresh = [p for p in own if id(p) not in seen]
        seen.update(map(id, own))
        sizes = [_size(p) for p in fresh]
        again = translate("shared with a layer above") if own and not fresh else ""
        count = again or ("?" if None in sizes else f"{sum(filter(None, sizes)):,}" if sizes else "")
        shapes = ", ".join(f"{_short_name(block, p)} {_shape_text(p.shape)}" for p in own)
        rows.append(
            [
                element("span", escape(path), style="overflow-wrap: anywhere"),
                escape(type(block).__name__),
                escape(shapes),
                escape(count),
            ]
        )
    header = [translate(word) for word in ("layer", "type", "shapes", "parameters")]
    more = len(layers) - len(rows)
    rest = element("div", escape(translate("... and others: {n}", n=more)), style="opacity: 0.7") if more else ""
    return _printed(repr(net), details(" · ".join(said), table(rows, header) + rest) if layers else "")


def _layers(block: Block, path: str, above: set[int]) -> Iterator[tuple[str, Block, list[Any]]]:
    """Yield the path, the block, and its own parameters, for each block with parameters or without children."""
    own = list({id(p): p for p in [*block._reg_params.values(), *block.params.values()]}.values())
    if own or (path and not block._children):
        yield path or ".", block, own
    if id(block) in above:  # a net that contains itself
        return
    for name, child in block._children.items():
        yield from _layers(child, f"{path}.{name}" if path else name, above | {id(block)})


def _short_name(block: Block, parameter: Any) -> str:
    return parameter.name.removeprefix(block.prefix)


def _size(parameter: Any) -> int | None:
    """Return the number of elements of a parameter, or None if it is unknown."""
    shape = parameter.shape
    return None if shape is None or any(n is None or n < 1 for n in shape) else math.prod(shape)


def _shape_text(shape: Any) -> str:
    if shape is None:
        return "?"
    return "×".join("?" if n is None or n < 1 else str(n) for n in shape) or "()"


def _compiled(net: Block, blocks: Iterable[Block]) -> str:
    """Return a description of whether a net is hybridized, and whether it has been compiled."""
    from ...gluon.hybrid_block import HybridBlock

    if isinstance(net, HybridBlock) and net._active:
        count = len(net.programs)
        return translate("hybridized, programs: {n}", n=count) if count else translate("hybridized, not yet called")
    inside = any(isinstance(block, HybridBlock) and block._active for block in blocks)
    return translate("hybridized in parts") if inside else translate("runs eagerly")


# --- an array ---------------------------------------------------------------------------------


def array_html(array: NDArray) -> str | None:
    """Return the printed form of an array with a summary, or None if the array is sparse or no element is elided.

    Parameters
    ----------
    array : NDArray
        The array. The function reads the array's values, as printing does.
    """
    if array.stype != "default" or array.size <= numpy.get_printoptions()["threshold"]:
        return None
    values = array_modules.asnumpy(array._data)
    said = [f"{_shape_text(values.shape)} {values.dtype} @{array.context}", _bytes(values.nbytes), *_numbers(values)]
    line = " · ".join(element("span", escape(one), style="white-space: nowrap") for one in said)
    return _printed(repr(array).removeprefix("\n"), element("div", line, style="margin-top: 4px"))


def _bytes(count: float) -> str:
    for unit in ("B", "kB", "MB"):
        if count < 1000:
            return f"{count:.3g} {unit}"
        count /= 1000
    return f"{count:.3g} GB"


def _numbers(values: numpy.ndarray) -> Iterator[str]:
    """Return a summary of the values as HTML."""
    step = -(-values.size // _LOOKED_AT)
    flat = values.reshape(-1)[::step]
    if step > 1:
        yield translate("of one element in {n}:", n=step)
    if values.dtype.kind == "b":
        yield translate("{share} true", share=f"{flat.mean():.1%}")
        return
    if values.dtype.kind not in "iuf":
        return
    flat = flat.astype("float64")
    finite = flat[numpy.isfinite(flat)]
    if odd := flat.size - finite.size:
        yield translate("{n} nan or infinite", n=f"{odd:,}")
    if not finite.size:
        return
    low, high = float(finite.min()), float(finite.max())
    if low == high:
        yield translate("all others {value}" if odd else "all {value}", value=f"{low:.4g}")
        return
    scale = max(abs(low), abs(high))  # sums of the finite values stay finite
    scaled = finite / scale
    yield translate("mean {value}", value=f"{scaled.mean() * scale:.4g}")
    counts, _ = numpy.histogram(scaled, bins=16, range=(low / scale, high / scale))
    bars = "".join(_BARS[-(-count * (len(_BARS) - 1) // counts.max())] for count in counts)
    yield f"{low:.4g} {bars} {high:.4g}"


add_words(
    {
        "layers: {n}": "层数：{n}",
        "parameters: {n}": "参数：{n} 个",
        "parameters: {n}, without those that the first call finds": "参数：{n} 个，不含第一次调用时才能确定的",
        "... and others: {n}": "……其余层数：{n}",
        "layer": "层",
        "type": "类型",
        "shapes": "形状",
        "parameters": "参数",
        "shared with a layer above": "与上面的层共享",
        "hybridized, programs: {n}": "已 hybridize，程序：{n} 个",
        "hybridized, not yet called": "已 hybridize，尚未调用",
        "hybridized in parts": "部分已 hybridize",
        "runs eagerly": "逐行运行",
        "of one element in {n}:": "每 {n} 个元素取一个：",
        "{share} true": "{share} 为真",
        "{n} nan or infinite": "{n} 个 nan 或无穷",
        "all {value}": "全部是 {value}",
        "all others {value}": "其余全部是 {value}",
        "mean {value}": "平均值 {value}",
    }
)
