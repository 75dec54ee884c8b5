"""Translations of errors' notes about fixes and locations.

Errors have English notes, which pictures and findings translate with :func:`in_words`.
"""

from __future__ import annotations

from ...support.remedies import IN_PLACE, ONLY_FOR_ARRAYS, REMEDIES, remedy
from ...support.words import add_words, translated_pattern

__all__ = ["PATTERNS", "in_words"]

#: Notes with placeholders that are filled in when the error is raised.
PATTERNS = (
    "Did you mean '{name}'?",
    "in layer {layer}",
    "in the compiled program {name}",
    "in the gradient of operator {name}",
    "in operator {name} on {inputs}",
    "in {operator} with inputs {inputs}",
    "made by {line}",
    "while tracing {name} with Symbols, {line}",
    "missing: {names}",
    "Arrays broadcast here, legacy Symbols do not: write F.{name}(x, y).",
    "With np semantics, call {name}; in hybrid_forward, call {instead}.",
    "This function takes arrays, not Symbols: in hybrid_forward, write {name}.",
    "In hybrid_forward, call operators of F instead of NumPy. Elsewhere, convert the argument with nd.array({name}).",
    "Only legacy arrays have this method. Write {name} instead.",
    "Copy the array to the device of the first argument: {code}.",
    "Call super().__init__() at the beginning of {name}.__init__.",
    "Remove the array with index {n}, which the body does not use.",
)


def in_words(note: str) -> str:
    """Return a note of an error in the current language.

    Examples
    --------
    >>> from d2lhybrid.util import config
    >>> with config(lang="zh"):
    ...     in_words("Did you mean 'relu'?")
    '是不是 relu？'
    """
    return translated_pattern(note, PATTERNS)


_NO_VALUE = "追踪块时，Symbol 没有数值。请只用 F 的算子，或者把需要数值的代码放到块的外面。"
_NO_DEVICE = "Symbol 不在任何设备上：请把设备传给块的构造函数。"
_INDEX = (
    "Symbol 还没有元素：x[...] 选取的是它的某个输出。要取数组的元素，用 F.slice_axis(x, axis=0, begin=0, end=1)、"
    "F.slice、F.take、F.pick 或 F.reshape；要增加新的轴，用 F.expand_dims。"
)
_IN_GRAPH = "计算图中的值不会再改变：应写成 x = x + x，而不是 x[:] = x + x；要改变部分元素，用 x = {}(mask, value, x)。"
_BRANCH = "Symbol 还没有数值，所以 Python 不能根据 Symbol 选择分支：否则分支在追踪时就冻结了。"
_CONSTANT = "数组不能进入计算图：把它改成块的 gluon.Constant 或 Parameter，或者使用 "
_OPERAND = "Symbol 的操作数只能是另一个 Symbol 或一个数。"
_FOR_ARRAYS = "这个函数只接受数组，而这里是 Symbol：请调用 {} 的函数。"
_NOT_OF_VALUES = "Symbol 不能由数值生成：使用 {}，或者 gluon.Constant。"
_OUTPUT = (
    "hybrid_forward 只能返回 Symbol，或者 Symbol 的列表和元组。{}(shape, value) 由一个数生成 Symbol；字典必须改成列表。"
)
_SHAPE = "Symbol 没有形状：要等有了数据才知道。请使用 reshape 的特殊值，例如 {}，或者使用 {} 等算子。"
_NO_WAIT = "追踪块时没有可以等待的计算：请等待块的输出。"
_MOVE = "在调用之前，先把输入移到目标设备；整个块在输入所在的设备上运行。"

#: Row of ``support/remedies.py`` -> translation for legacy symbols, or for those and for symbols of ``F.np``.
_CHINESE: dict[str, str | tuple[str, str]] = {
    "[]": (
        _INDEX,
        "Symbol 只能用整数和切片索引。x[None] 改为 F.np.expand_dims(x, 0)；索引数组改为 F.np.take(x, indices, axis=0)；"
        "掩码改为 F.np.where(mask, x, 0)。",
    ),
    "[-1]": (_INDEX, "改用 x[-1:] 和 F.np.squeeze(..., axis=0)，或者 F.np.split(x, n)[n - 1]。"),
    "['name']": (
        "只有输出才有名字：x.list_outputs() 列出输出的名字。要取元素，用 F.slice。",
        "Symbol 只能用整数和切片索引：F.np 和 F.npx 的行没有名字。",
    ),
    "[]=": (_IN_GRAPH.format("F.where"), _IN_GRAPH.format("F.np.where")),
    "bool": (
        _BRANCH + "使用 F.where(condition, x, y)，或者 F.contrib.cond 和 F.contrib.while_loop。",
        _BRANCH + "使用 F.np.where(condition, x, y)；循环和分支在 F.contrib 中：cond、while_loop。",
    ),
    "iter": (
        "改用 F.split(x, num_outputs=n, axis=0, squeeze_axis=True) 或 F.contrib.foreach。",
        "改用 F.np.split(x, n)，其中 n 是块的常量，或者 F.contrib.foreach。",
    ),
    "len": "Symbol 没有长度：把行数传给块的构造函数。",
    "number": _NO_VALUE,
    "//": ("改用 F.floor(x / y)。", "改用 F.np.floor(x / y)。"),
    "@": ("改用 F.dot(x, y) 或 F.batch_dot。", "改用 F.np.dot(x, y) 或 F.np.matmul(x, y)。"),
    "operand": (_OPERAND, _OPERAND),
    "array": (_CONSTANT + "F.ones、F.zeros、F.full。", _CONSTANT + "F.np.ones、F.np.zeros、F.np.full。"),
    "not a symbol": (
        "算子在这里需要 Symbol：F.full(shape, value) 由一个数生成 Symbol。",
        "算子在这里需要 Symbol：F.np.full(shape, value) 由一个数生成 Symbol。",
    ),
    "function of arrays": (_FOR_ARRAYS.format("F"), _FOR_ARRAYS.format("F.np 或 F.npx")),
    "numpy": (
        "NumPy 和 math 计算的是数，而 Symbol 没有数值：改用 F 中同名的函数，例如用 F.exp(x) 代替 numpy.exp(x)。",
        "NumPy 和 math 计算的是数，而 Symbol 没有数值：改用 F.np 中同名的函数，例如用 F.np.exp(x) 代替 numpy.exp(x)。",
    ),
    "no such argument": "算子没有这个名字的形参：错误信息列出了它的所有形参。",
    "parameter": (
        "块的每个 Parameter 都按名字传给 hybrid_forward，所以这个方法要有同名的形参：例如在 x 之后写 weight。"
    ),
    "reshape": (
        "改用 F.reshape(x, (0, -1))：0 表示这一维的大小不变。",
        "改用 F.npx.reshape(x, (-2, -1))：-2 表示这一维的大小不变；只有旧式算子才用 0。",
    ),
    "F.array": (
        _NOT_OF_VALUES.format("F.ones、F.zeros、F.full 或 F.arange"),
        _NOT_OF_VALUES.format("F.np.ones、F.np.zeros、F.np.full 或 F.np.arange"),
    ),
    "output": (_OUTPUT.format("F.full"), _OUTPUT.format("F.np.full")),
    "no output": "hybrid_forward 返回了 None：是不是缺了 `return`？",
    "shape": (
        _SHAPE.format("F.reshape(x, (0, -1))", "F.reshape_like、F.slice_like、F.broadcast_like、F.shape_array"),
        _SHAPE.format("F.npx.reshape(x, (-2, -1))", "F.npx.reshape_like、F.np.ones_like、F.npx.shape_array"),
    ),
    "dtype": "Symbol 没有元素类型：如果计算图的结构取决于元素类型，就把元素类型传给块的构造函数。",
    "context": _NO_DEVICE,
    "ctx": _NO_DEVICE,
    "size": (
        "Symbol 没有大小：使用 F.size_array(x)，或者用 F.mean 代替求和再除以大小。",
        "Symbol 没有大小：用 F.np.mean 代替求和再除以大小，或者使用 F.npx.shape_array(x)。",
    ),
    "ndim": "Symbol 没有轴数：从最后一个轴数起（axis=-1），或者把轴数传给构造函数。",
    "T": "改用 F.transpose(x)。",
    "stype": "Symbol 没有存储类型：在编译后的块里，所有数组都是稠密的。",
    "copyto": ("Symbol 没有内存：改用 F.identity(x)。", "Symbol 没有内存：改用 F.np.copy(x)。"),
    "attach_grad": "梯度属于数组：在 hybrid_forward 外面对输入调用 attach_grad()。",
    "grad": "梯度属于数组：在 hybrid_forward 外面从输入或参数读取。",
    "asnumpy": _NO_VALUE,
    "asscalar": _NO_VALUE,
    "item": _NO_VALUE,
    "tolist": _NO_VALUE,
    "wait_to_read": _NO_WAIT,
    "copy": ("改用 F.identity(x)：算子的结果从不与输入共用内存。", "改用 F.np.copy(x)：算子的结果从不与输入共用内存。"),
    "detach": (
        "改用 F.BlockGrad(x)，它在两种模式下都阻断梯度。",
        "改用 F.BlockGrad(x.as_nd_ndarray()).as_np_ndarray()，它在两种模式下都阻断梯度。",
    ),
    "backward": "在 hybrid_forward 外面对损失调用 backward()。",
    "as_in_context": _MOVE,
    "as_in_ctx": _MOVE,
}

for _row in REMEDIES:
    for _legacy in (True, False):
        _found = _CHINESE[_row]
        add_words({remedy(_row, _legacy) or "": _found if isinstance(_found, str) else _found[not _legacy]})
for _name, _sign in IN_PLACE.items():
    add_words({remedy(_name) or "": f"计算图中的值不会再改变：应写成 x = x {_sign} y，而不是 x {_sign}= y。"})
for _text in ONLY_FOR_ARRAYS.values():
    if _text.startswith("Write F."):
        add_words({_text: f"改用 {_text.removeprefix('Write ').removesuffix('.')}。"})

add_words({
    "Did you mean '{name}'?": "是不是 {name}？",
    "in layer {layer}": "在层 {layer} 中",
    "in the compiled program {name}": "在编译后的程序 {name} 中",
    "in the gradient of operator {name}": "在算子 {name} 的梯度中",
    "in operator {name} on {inputs}": "在算子 {name} 中，输入是 {inputs}",
    "in {operator} with inputs {inputs}": "在 {operator} 中，输入是 {inputs}",
    "made by {line}": "来自 {line}",
    "while tracing {name} with Symbols, {line}": "追踪 {name} 时（传入的是 Symbol），{line}",
    "missing: {names}": "缺少：{names}",
    "Arrays broadcast here, legacy Symbols do not: write F.{name}(x, y).":
        "数组在这里会广播，旧式 Symbol 不会：改用 F.{name}(x, y)。",
    "With np semantics, call {name}; in hybrid_forward, call {instead}.":
        "在 np 语义下调用 {name}；在 hybrid_forward 中调用 {instead}。",
    "This function takes arrays, not Symbols: in hybrid_forward, write {name}.":
        "这个函数只接受数组，而这里是 Symbol：在 hybrid_forward 中改用 {name}。",
    "In hybrid_forward, call operators of F instead of NumPy. Elsewhere, convert the argument with nd.array({name}).":
        "在 hybrid_forward 中调用 F，而不是 NumPy；在别处，先用 nd.array({name}) 转换。",
    "Only legacy arrays have this method. Write {name} instead.": "只有旧式数组有这个方法。请改用 {name}。",
    "Copy the array to the device of the first argument: {code}.":
        "把数组复制到第一个参数所在的设备：{code}。",
    "Call super().__init__() at the beginning of {name}.__init__.":
        "在 {name}.__init__ 的开头调用 super().__init__()。",
    "Remove the array with index {n}, which the body does not use.": "去掉索引为 {n} 的数组：循环体没有用到它。",
    "In hybrid_forward, use the operators of F, which accept both arrays and Symbols.":
        "在 hybrid_forward 中使用 F 的算子：这些算子对数组和 Symbol 都适用。",
    "This operator does not support boolean arrays. Cast the array first, for example with x.astype('float32').":
        "这个算子不接受布尔数组：请先转换类型，例如 x.astype('float32')。",
})  # fmt: skip
