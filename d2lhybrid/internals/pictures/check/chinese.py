"""Chinese texts of a check; the English sentences are the keys."""

from __future__ import annotations

from ...support.remedies import SILENT
from ...support.words import add_words

__all__: list[str] = []

#: Code that fails silently -> its effect with a Symbol, with an array, and what to write instead.
_SILENT = {
    "x[0]": (
        "取 Symbol 的第一个输出，也就是整个 x", "取数组的第一行",
        "改用 F.slice_axis(x, axis=0, begin=0, end=1) 或 F.take。",
    ),
    "x[0:1]": (
        "取 Symbol 输出的切片，也就是整个 x", "取数组各行的切片", "改用 F.slice_axis(x, axis=0, begin=0, end=1)。"
    ),
    "for v in x": (
        "遍历 Symbol 的输出：只循环一次，得到整个 x", "遍历数组的各行",
        "改用 F.split(x, num_outputs=n, axis=0, squeeze_axis=True) 或 F.contrib.foreach。",
    ),
    "len(x)": ("返回 Symbol 的输出个数：1", "返回数组的行数", "把行数传给块的构造函数。"),
}  # fmt: skip

for _code, (_hybridized, _imperative, _instead) in SILENT.items():
    _chinese = _SILENT[_code]
    add_words({
        f"In a hybridized block, {_code} {_hybridized}.": f"在 hybridize 之后的块中，{_code} {_chinese[0]}。",
        f"Run eagerly, it {_imperative}.": f"逐行运行时，它{_chinese[1]}。",
        _instead: _chinese[2],
    })  # fmt: skip

add_words({
    # The report.
    "where": "位置", "why": "原因", "remedy": "改法", "page": "页面",
    "{n} calls compared": "比较了 {n} 次调用",
    "no call compared, because the eager or the hybridized call fails": "没有比较任何调用，因为两种方式中有一种出错",
    "{net}: {runs}.": "{net}：{runs}。",
    "{net}: the eager and hybridized results are the same ({runs}), and nothing is frozen.":
        "{net}：hybridize 之后与逐行运行的计算结果相同（{runs}），什么也没有冻结。",
    "In all of these calls, the hybridized and the eager results are the same.":
        "这些调用中，hybridize 之后与逐行运行的计算结果都相同。",
    "Hybridized, the net behaves differently:": "hybridize 之后，网络的行为有所不同：",
    "Frozen: decided once, while the net was traced:": "冻结：追踪网络时就已确定，以后不再改变：",
    "Good to know:": "另请注意：",
    # Calls.
    "your inputs": "你的输入", "other values": "其他数值", "batch size {n}": "批量大小 {n}",
    "shape {shape}": "形状 {shape}",
    "with these inputs": "用这些输入", "{inputs}, {mode} mode, seed {seed}": "{inputs}，{mode}模式，种子 {seed}",
    "predict": "预测", "train": "训练",
    "eagerly": "逐行运行时", "eagerly, in {mode} mode": "在{mode}模式下逐行运行时",
    "hybridized ({calls})": "hybridize 之后（{calls}）",
    "eagerly and hybridized": "无论逐行运行还是 hybridize 之后",
    # Errors.
    "{when}, the net raises": "{when}，网络引发",
    "The net is being traced: hybrid_forward runs with Symbols, which describe a computation and have no values.":
        "正在追踪：传给 hybrid_forward 的是 Symbol，而 Symbol 只描述计算，没有数值。",
    "The inputs of a block must be arrays. Pass numbers and strings to its constructor.":
        "输入必须是数组：把数和字符串传给块的构造函数。",
    "Call net.initialize() first.": "先调用 net.initialize()。",
    "In hybrid_forward, use the operators of F: they take arrays and Symbols.":
        "在 hybrid_forward 中使用 F 的算子：它们既接受数组，也接受 Symbol。",
    # Differences.
    "shape": "形状", "dtype": "元素类型",
    "eagerly it has {what} {eager}, hybridized {hybrid}":
        "逐行运行时{what}是 {eager}，hybridize 之后是 {hybrid}",
    "eagerly it is a {eager}, hybridized a {hybrid}": "逐行运行时是 {eager}，hybridize 之后是 {hybrid}",
    "{n} of {size} elements differ; the first of them, {where}, is {eager:.6g} eagerly and "
    "{hybrid:.6g} hybridized":
        "{size} 个元素中有 {n} 个不同；第一个是 {where}：逐行运行时是 {eager:.6g}，hybridize 之后是 {hybrid:.6g}",
    "in the graph, it fails: {error}": "在计算图中出错：{error}",
    "{text}. Before that, {what} (line {line})": "{text}。更早的一处不同：{what}（第 {line} 行）",
    "only the eager call uses {operator}": "只有逐行运行时才调用 {operator}",
    "only the graph has {operator}": "只有计算图中才有 {operator}",
    "all operators agree": "所有算子的结果都一致",
    "The first operator whose result differs is {operator} ({calls}): {how}.":
        "第一个数值不同的算子是 {operator}（{calls}）：{how}。",
    "The output differs, and {operator} ({calls}): {how}.": "输出不同，而且{operator}（{calls}）：{how}。",
    "{operator} in layer {layer}": "{operator}（在层 {layer} 中）",
    "{why} (line {line})": "{why}（第 {line} 行）",
    "The output of the second call differs: {how}.": "第二次调用的输出不同：{how}。",
    "An output differs ({calls}): {how}.": "有一个输出不同（{calls}）：{how}。",
    "The parts of the net are checked one by one.": "以下逐个检查网络的各个部分。",
    "The net has {eager} outputs eagerly, but {hybrid} hybridized ({calls}).":
        "逐行运行时有 {eager} 个输出，hybridize 之后有 {hybrid} 个（{calls}）。",
    "The same line has different effects on Symbols and on arrays, or uses a value that Python computed.":
        "这一行处理 Symbol 和处理数组的结果不同，或者用到了 Python 算出的值。",
    "Use the operators of F instead, which do the same for both.":
        "改用 F 的算子：无论传入 Symbol 还是数组，结果都相同。",
    "Eagerly, the net returns {eager}; hybridized, it returns {hybrid}.":
        "逐行运行时网络返回 {eager}，hybridize 之后返回 {hybrid}。",
    "A graph has a flat list of outputs. The net nests the outputs again, in lists, not tuples.":
        "计算图的输出是扁平的列表；返回时重新嵌套成列表，而不是元组。",
    "Do not rely on a tuple: unpack the result, or index it.": "不要依赖返回值是元组：直接解包结果，或用索引取值。",
    "A call prints {text}; hybridized, only the trace does.": "调用时会打印 {text}；hybridize 之后只有追踪时才打印。",
    # Frozen.
    "hybrid_forward runs once, while the net is traced; what Python decides or computes then is frozen.":
        "hybrid_forward 只在追踪网络时运行一次；Python 那时做出的判断和算出的值，就此冻结在计算图中。",
    "Compiled calls do not run it.": "编译后的调用不再运行 hybrid_forward。",
    "All later calls use the value from the trace.": "之后的所有调用都使用追踪时的值。",
    "Here: {value}.": "这里是：{value}。",
    "Eagerly, {calls}, it is {way}.": "逐行运行时（{calls}）：{way}。",
    "taken": "成立", "not taken": "不成立", "both ways, by turns": "有时成立，有时不成立",
    "run once": "运行一次", "run {n} times": "运行 {n} 次",
    "run once in all": "总共运行一次", "run {n} times in all": "总共运行 {n} 次",
    "The file {name} is written while the net is traced, and never again.":
        "文件 {name} 只在追踪网络时写入，之后不再写入。",
    "Write it outside the net.": "请在网络外面写入。",
    "{name} is frozen at {value}, whatever it is set to later.":
        "{name} 冻结为 {value}，无论以后改成什么值。",
    "Call net.hybridize() again after changing it, or make it an input, a Parameter, or a Constant.":
        "修改属性之后再调用 net.hybridize()，或者把这个值改成输入、Parameter 或 Constant。",
    "`{name}` is frozen at {value}: Python computed it while the net was traced.":
        "`{name}` 冻结为 {value}：它是追踪网络时由 Python 算出的。",
    "Call net.hybridize() again after changing what it depends on, or compute it from inputs or Parameters with "
    "operators.":
        "修改它所依赖的值之后，再调用 net.hybridize()；或者用算子从输入或 Parameter 算出它。",
    "The branch on `{code}` is decided: in the graph, it is always {way}.":
        "条件 `{code}` 的结果已经冻结：在计算图中总是{way}。",
    "Use F.where(condition, x, y) or F.contrib.cond if values decide; pass fixed values to __init__.":
        "如果分支由数值决定，就用 F.where(condition, x, y) 或 F.contrib.cond；固定的值传给 __init__。",
    "The mode is not frozen in operators that read it, such as F.Dropout and F.BatchNorm. Otherwise "
    "call net.hybridize() again when the mode changes, or do this outside the net.":
        "在 F.Dropout、F.BatchNorm 等会查询模式的算子里，模式不会冻结。其他情况下，模式改变时要再调用 net.hybridize()，"
        "或者把取决于模式的代码放到网络外面。",
    "The loop over `{code}` is unrolled: in the graph, it is always {way}.":
        "遍历 `{code}` 的循环已经展开：在计算图中总是{way}。",
    "Use F.contrib.foreach or F.contrib.while_loop if the number of iterations depends on the data.":
        "如果循环次数由数据决定，就用 F.contrib.foreach 或 F.contrib.while_loop。",
    "`{code}` prints while the net is traced, and never again.": "`{code}` 只在追踪网络时打印，之后不再打印。",
    "Print outside the net, return the value as another output, or call net.hybridize(False).":
        "在网络外面打印，把值作为另一个输出返回，或调用 net.hybridize(False)。",
    "The value of `{code}` is a constant of the graph: the one it had while the net was traced.":
        "`{code}` 的值成为计算图中的常量，也就是追踪网络时的值。",
    "Draw in the graph: F.random.uniform, F.random.normal, and F.Dropout draw new numbers in every call.":
        "在计算图中抽取随机数：F.random.uniform、F.random.normal、F.Dropout 每次调用都重新抽取。",
    "Read the clock outside the net, and pass the value as an input.":
        "在网络外面读取时间，把依赖时间的值作为输入传进来。",
    "The first call decides whether `{name}` is passed.": "是否传入 `{name}` 由第一次调用决定。",
    "The graph has the inputs of the call that was traced; a call with more or fewer inputs raises an error.":
        "计算图的输入就是追踪时那次调用的输入；以后的调用，输入个数不同就会报错。",
    "Always pass the argument, or call net.hybridize() before you call the net the other way.":
        "每次调用都传入这个输入；如果要改变是否传入，就先调用 net.hybridize()。",
    "`{name}` goes from {before} to {now} in one call; hybridized, only the call that is traced does that.":
        "调用时把 `{name}` 从 {before} 改成 {now}；hybridize 之后，只有追踪时的那次调用才会改。",
    "`{name}` changes in one call; hybridized, only the call that is traced does that.":
        "调用会改变 `{name}`；hybridize 之后，只有追踪时的那次调用才会改变它。",
    "Change it outside the net and pass it as an input; state of the net should be a Parameter with "
    "grad_req='null' that you set outside.":
        "在网络外面修改，再把它作为输入传进来；网络的状态应放在 grad_req='null' 的 Parameter 里，在外面设置。",
    # State outside the net.
    "`{code}` is read while the net is traced, and never again.": "`{code}` 只在追踪网络时读取，之后不再读取。",
    "The file {name} is read while the net is traced, and never again.":
        "文件 {name} 只在追踪网络时读取，之后不再读取。",
    "`{code}` prints a message while the net is traced, and never again.":
        "`{code}` 只在追踪网络时输出消息，之后不再输出。",
    "Print it outside the net, or call net.hybridize(False) while you need the message.":
        "在网络外面输出消息，或者在需要看到消息时调用 net.hybridize(False)。",
    "Read it outside the net, and pass the value as an input; pass fixed values to __init__.":
        "在网络外面读取，把这个值作为输入传进来；固定的值传给 __init__。",
    "Read it outside the net, and pass the value as an input.":
        "在网络外面读取，把这个值作为输入传进来。",
    "`{name}` is a Symbol of another trace.": "`{name}` 是另一次追踪的 Symbol。",
    "A Symbol belongs to its own graph; in another graph, it is an additional input, or raises an error.":
        "Symbol 只属于产生它的那个计算图；放到别的计算图里，会成为多出来的输入，或者引发错误。",
    "`{name}` keeps a Symbol of the trace.": "`{name}` 保留了追踪时的 Symbol。",
    "Eagerly, it keeps an array; hybridized, only the trace sets it, and a Symbol has no values.":
        "逐行运行时，它保存的是数组；hybridize 之后，只在追踪时保存一次，保存的是没有数值的 Symbol。",
    "Return the value as another output, and pass it as an input to the next call.":
        "把这个值作为另一个输出返回，并作为输入传给下一次调用。",
    "{operator} creates an array of shape {shape}, which contains the batch size {n} as a constant.":
        "{operator} 生成形状为 {shape} 的数组，把批量大小 {n} 写成了常量。",
    "Write F.ones_like(x), F.zeros_like(x), or F.broadcast_like.":
        "改用 F.ones_like(x)、F.zeros_like(x) 或 F.broadcast_like。",
    # Limits of the check.
    "Not examined (frozen values there are not listed):": "没有检查下面这些地方（那里如果有值冻结，不会列出）：",
    "{name} ({path}) has no readable source, so nothing in it was checked.":
        "{name}（{path}）没有可读取的源代码，所以没有检查。",
    "line {line}, `{code}`: what it reads is known only while it runs.":
        "第 {line} 行，`{code}`：只有运行时才知道这段代码读取什么。",
    "line {line}, `{code}`: which function is called is known only while it runs.":
        "第 {line} 行，`{code}`：只有运行时才知道调用的是哪个函数。",
    "line {line}, `{code}`: a graph has no scopes. Hybridized, gradients flow, and the mode is that of the call.":
        "第 {line} 行，`{code}`：计算图没有作用域。hybridize 之后，梯度照常传播，模式就是调用时的模式。",
    "line {line}, `{code}`: the source of {module} was not read.":
        "第 {line} 行，`{code}`：没有读取 {module} 的源代码。",
    "line {line}, `{code}`: a call consumes items of an iterator, which cannot be restored.":
        "第 {line} 行，`{code}`：调用时会从迭代器取走元素，无法放回。",
    # The blocks of the net, and its graph.
    "The blocks in {path} are not children of the net: they are in a {kind}.":
        "{path} 中的块不是网络的子块：它们放在一个 {kind} 里。",
    "collect_params() and initialize() do not find their parameters, and they are not in the graph.":
        "collect_params() 和 initialize() 找不到它们的参数，计算图里也没有这些参数。",
    "Use nn.HybridSequential, or register_child(block) for each.":
        "使用 nn.HybridSequential，或者对每个块调用 register_child(block)。",
    "{path} is a {kind}, a Block and not a HybridBlock.": "{path} 是 {kind}，它是 Block 而不是 HybridBlock。",
    "Its forward is Python, and runs in every call, hybridized or not.":
        "它的 forward 是 Python 代码，不管有没有 hybridize，每次调用都运行。",
    "Derive it from HybridBlock, and write hybrid_forward(self, F, x).":
        "改为继承 HybridBlock，并编写 hybrid_forward(self, F, x)。",
    "{path} is a HybridBlock, but {kind} overrides forward.": "{path} 是 HybridBlock，但 {kind} 覆盖了 forward。",
    "hybridize() only affects HybridBlock.forward. This forward is Python, and runs in every call.":
        "hybridize() 只影响 HybridBlock.forward。这个 forward 是 Python 代码，每次调用都运行。",
    "Write hybrid_forward(self, F, x) instead of forward(self, x).":
        "编写 hybrid_forward(self, F, x)，而不是 forward(self, x)。",
    "The hook on {path} is called in eager calls and during the trace, and then never.":
        "{path} 上的钩子只在逐行运行和追踪网络时调用，之后不再调用。",
    "A compiled program calls no blocks: the layers are operators of one graph.":
        "编译后的程序不调用块：各层都是同一个计算图中的算子。",
    "Call net.hybridize(False) while you need the hook, or return the value as another output.":
        "需要用到钩子时，调用 net.hybridize(False)，或者把值作为另一个输出返回。",
    "The {n}-th input to HybridBlock is not used by any computation.":
        "HybridBlock 的输入 {n}（从 0 数起）在计算中没有用到。",
    "Parameter {names} is not used by any computation.": "参数 {names} 在计算中没有用到。",
    "The graph contains only what its outputs depend on.": "计算图只包含输出所依赖的部分。",
    "Remove the unused input or parameter, or use it. Perhaps a name is misspelled.":
        "删掉没有用到的输入或参数，或者在计算中用到它。也许是名字写错了。",
    "The reshape to {shape} contains the batch size {n} as a constant.":
        "形状为 {shape} 的 reshape 把批量大小 {n} 写成了常量。",
    "With another number of examples, the net fails, or mixes values of different examples.":
        "批量大小一变，就会出错，或者把不同样本的数值混在一起。",
    "Write F.reshape(x, (0, -1)): 0 keeps the size of the data.":
        "改用 F.reshape(x, (0, -1))：0 表示这一维的大小不变。",
})  # fmt: skip
