"""The traps in Chinese: title, what happens, why, and what to do."""

from __future__ import annotations

from ...support.words import add_words
from . import of_calls, of_symbols, silent

__all__ = ["CHINESE"]

_NO_VALUES = "追踪块时，x 是 Symbol：它代表一个还没有运行的计算，没有数值。"
_ONCE = "`hybrid_forward` 只在追踪网络时运行一次。之后的调用运行编译好的程序，不再运行它的任何一行。"

#: Number -> title, trap, reason, remedy.
CHINESE = {
    "H01": (
        "追踪块时读取了数值",
        "`asnumpy()`、`asscalar()`、`item()`、`tolist()`、`float(x)` 和 `int(x)` 对数组有效。在 hybridize 之后的块中，"
        "它们会引发错误。",
        _NO_VALUES + "即使 Python 从中取得一个数，这个数也会被冻结在计算图里，用于以后的所有调用。",
        "只用 `F` 的算子：它们接受 Symbol，也返回 Symbol。真正需要数值的部分应放在块的外面。",
    ),
    "H02": (
        "Python 按数值分支",
        "`if x.sum() > 0:`、`while`、`and`、`or`、`not` 和 `bool(x)` 都在问一个 Symbol 是真是假。",
        _NO_VALUES + "Python 必须现在就决定，而答案要等数据到来才知道，而且每次调用都可能不同。",
        "把决定放进计算图：`F.where(condition, x, y)` 逐元素选择，`F.contrib.cond` 在两个计算之间选择，"
        "`F.contrib.while_loop` 重复一个计算。",
    ),
    "H03": (
        "读取了 Symbol 的形状",
        "`x.shape`、`x.size` 和 `x.ndim` 是数组的属性，Symbol 都没有。",
        "同一张计算图用于多种形状的输入，所以追踪块时还不知道形状。形状在追踪之后、为每个编译好的程序推断。",
        "用相对于形状的方式表达：在 `F.reshape` 中，0 保持原有大小，-1 由推断得出；还有 `F.reshape_like`、"
        "`F.slice_like`、`F.broadcast_like`、`F.ones_like`；用 `F.mean` 代替求和再除以大小。"
        "从不改变的大小可以传给构造函数。",
    ),
    "H04": (
        "读取了 Symbol 的元素类型",
        "`x.dtype` 是数组的属性，Symbol 没有。",
        "与形状一样：计算图在有数据之前就已生成，并且用于多种元素类型。",
        "把依赖元素类型的东西传给块的构造函数。`net.cast(dtype)` 转换参数。",
    ),
    "H05": (
        "询问或设置了 Symbol 的设备",
        "`x.context`、`x.ctx`、`x.as_in_context(...)` 和 `x.copyto(...)` 用于数组。",
        "Symbol 不在任何设备上。整个块在它的输入所在的设备上运行。",
        "在调用之前移动输入。在块内部，用跟随输入的算子生成数组：`F.ones_like(x)`、`F.zeros_like(x)`。",
    ),
    "H06": (
        "像数组一样索引 Symbol",
        "`x[:, 1:2]`、`x[0, 0]`、`x[1]`、`x[-1]` 和 `x[None]` 会引发错误。（`x[0]` 不引发错误，这更糟："
        "见 [H58](H58-silent-indexing.md)。）",
        "方括号选取的是旧式 Symbol 的某个*输出*，而不是元素。`F.np` 的 Symbol 只接受整数和切片，其他都不接受。",
        "使用算子：`F.slice_axis`、`F.slice`、`F.take`、`F.pick`、`F.reshape`；增加新的轴用 `F.expand_dims`。",
    ),
    "H07": (
        "给 Symbol 的元素赋值",
        "`x[0] = 2` 和 `x[:] = y` 会引发错误。",
        "计算图描述的是一个值如何由另一些值算出，其中没有任何东西会在事后改变；正因如此，编译器才能合并和重排。",
        "计算一个新的值：`x = x + x`。要改变部分元素，用 `F.where(mask, value, x)` 在旧元素和新元素之间选择。",
    ),
    "H08": (
        "就地运算",
        "`x += 1`、`x -= 1`、`x *= 2` 和 `x /= 2` 会改变数组。对 Symbol 它们会引发错误。",
        "计算图中没有任何东西会改变。这个错误是 `NotImplementedForSymbol`，它属于 `RuntimeError`，"
        "而不是某一课中所说的 `NotImplementedError`。",
        "写 `x = x + 1`，而不是 `x += 1`。在安全的地方，编译好的程序自己会就地运算。",
    ),
    "H09": (
        "Symbol 没有的 Python 运算符",
        "`x // 2` 和 `x @ y` 对某一种数组有效，对 Symbol 无效。",
        "MXNet 的 Symbol 只定义了运算符 `+ - * / % **` 和比较。",
        "写成函数：`F.floor(x / y)`、`F.dot(x, y)`、`F.batch_dot(x, y)`。",
    ),
    "H10": (
        "只有数组才有的方法或属性",
        "`x.T`、`x.copy()`、`x.detach()` 和 `x.stype` 在 hybridize 之后的块中会引发错误。",
        "Symbol 没有可以共享、复制或分离的内存：它的方法只对应算子。",
        "每一个都有对应的算子：`F.transpose(x)`、`F.identity(x)`、`F.BlockGrad(x)`。",
    ),
    "H11": (
        "在块内求梯度",
        "在 `hybrid_forward` 里面的 `x.attach_grad()`、`x.grad` 和 `y.backward()` 会引发错误。",
        "梯度属于数组和被记录的调用，追踪块时两者都没有。反向程序由编译器根据完成的计算图生成。",
        "三件事都在外面做：为输入附加梯度，记录调用，再从结果反向传播。",
    ),
    "H12": (
        "Symbol 的 `+` 不做广播",
        "形状为 (2, 3) 和 (1, 3) 的 `x + y` 对数组有效；对 Symbol，在推断形状时失败。",
        "对旧式 Symbol，`+` 就是算子 `elemwise_add`，它要求形状相同。`x + 1` 不是陷阱：与数的运算有专门的算子。",
        "写 `F.broadcast_add(x, y)`、`F.broadcast_sub`、`F.broadcast_mul`、`F.broadcast_div`、"
        "`F.broadcast_greater` 等。它们对数组的作用也相同。",
    ),
    "H13": (
        "数组进入了计算图",
        "把外面的数组（`offsets = nd.array(...)`）加到 Symbol 上，或者传给 `F` 的算子。",
        "计算图由 Symbol 组成。其中的数组会是一个没有名字的常量，不能保存，不能移到别的设备，也不能求导。",
        "固定的，做成块的 `gluon.Constant`；要学习的，做成 `Parameter`；会变化的，做成输入；"
        "能算出来的，用 `F.ones`、`F.full` 或 `F.arange`。",
    ),
    "H14": (
        "对 Symbol 调用了数组的函数",
        "在 `hybrid_forward` 里面写 `nd.relu(x)`、`np.exp(x)` 或 NumPy 自己的 `numpy.exp(x)`。",
        "无论 x 是什么，`nd` 都只用于数组。逐行运行块时 `F` 是 `nd`，追踪时 `F` 是 `sym`：它成为参数正是为此。",
        "调用 `F` 的函数。",
    ),
    "H15": (
        "`nd` 有而 `sym` 没有的函数",
        "`F.array(...)`、`F.concatenate(...)`、`F.empty(...)`、`F.add(x, y)` 在逐行运行时有效，追踪块时却没有。",
        "它们由 Python 的值生成数组，或者只是 `nd` 提供的便利。`F` 有的是两边都有的函数。",
        "使用它们背后的算子：`F.concat(*arrays, dim=axis)`、`F.zeros`、`F.full`、`F.broadcast_add`；"
        "以列表给出的值用 `gluon.Constant`。",
    ),
    "H16": (
        "不存在的算子",
        "`F.rellu(x)` 或 `x.rellu()`：名字写错了，或者属于另一种写法。",
        "旧式数组的算子在 `F` 里；与 NumPy 接口相同的算子在 `F.np` 里，与之相伴的各层在 `F.npx` 里。",
        "错误信息会建议最接近的名字。`dir(F)` 列出全部。",
    ),
    "H17": (
        "操作数既不是 Symbol 也不是数",
        "`x + None`、`x + 'a'` 或 `F.relu(5)`。",
        "计算图由 Symbol 组成；数会写进 `_plus_scalar` 之类的算子。其他东西在计算图里没有位置。",
        "看看这个值从哪里来：往往是漏掉了一个参数。`F.full(shape, value)` 由一个数生成 Symbol。",
    ),
    "H18": (
        "`hybrid_forward` 返回的不是 Symbol",
        "它返回一个数、一个字典，或者什么也不返回。",
        "返回的东西就是计算图的输出，而计算图的输出是 Symbol 的列表。",
        "返回一个 Symbol，或者 Symbol 的列表或元组，可以嵌套。"
        "如果返回了 None，就是缺了 `return`，也许只在某个分支上缺。",
    ),
    "H19": (
        "Python 逐行遍历 Symbol 或数行数",
        "对 `F.np` 的 Symbol，`for row in x` 和 `len(x)` 会引发错误。（对旧式 Symbol 没有错误："
        "见 [H58](H58-silent-indexing.md)。）",
        "有多少行，要等数据到来才知道。",
        "`F.np.split(x, n)` 给出固定个数的部分；`F.contrib.foreach` 对所有行运行一个计算，无论有多少行。"
        "从不改变的个数可以传给构造函数。",
    ),
    "H20": (
        "把数或文本当作输入",
        "`net(x, 3)` 在逐行运行时有效，hybridize 之后引发错误。",
        "输入是计算图的变量，而变量是数组。一个数只能被冻结。",
        "固定的传给构造函数；会变化的做成数组：`net(x, nd.array([3]))`。",
    ),
    "H21": (
        "参数个数与追踪时不同",
        "`hybrid_forward(self, F, x, y=None)`：第一次调用没有给 y，后来的调用给了。",
        "计算图的输入就是被追踪的那次调用的输入。是否给出 y 由 Python 在那时决定，并被冻结。",
        "总是给出它；或者换一种方式调用之前先调用 `net.hybridize()`：下一次调用会重新追踪。",
    ),
    "H22": (
        "输入中没有数组",
        "`net(numpy.ones((2, 3)))` 或 `net([1, 2, 3])`。",
        "块接受的是本软件包的数组：它们知道自己在哪个设备上，并且可以被记录。NumPy 的数组和 Python 的列表做不到。",
        "先转换：`nd.array(values)`；在 NumPy 语义下用 `np.array(values)`。",
    ),
    "H23": (
        "参数未初始化",
        "在 `net.initialize()` 之前调用了网络，或者在第一次调用之前读取了参数。",
        "`nn.Dense(2)` 这样的层不知道输入的宽度。它的参数在第一次调用时才得到形状，然后得到数值。",
        "先调用 `net.initialize()`，读取参数之前再调用一次网络。如果都做了，可能有块没有注册："
        "见 [H24](H24-blocks-in-a-list.md)。",
    ),
    "H24": (
        "Python 列表中的块没有注册",
        "`self.layers = [nn.Dense(2), nn.Dense(2)]`：`initialize()` 够不到这些层，"
        "hybridize 之后的网络也不认识它们的参数。",
        "块会注册赋给其属性的东西，但不会去看列表、元组和字典的里面。",
        "使用 `nn.HybridSequential`，或者对每一层调用 `self.register_child(layer)`。",
    ),
    "H25": (
        "HybridBlock 的子块是普通 Block",
        "给 `nn.HybridSequential` 或其他 HybridBlock 添加了一个 Block 作为子块。",
        "Block 的 `forward` 是处理数组的 Python 代码，不能成为计算图的一部分。",
        "让它继承 `HybridBlock`，并编写 `hybrid_forward(self, F, x)`。如果它确实需要 Python，就在外面用 "
        "`nn.Sequential`：其他子块照样会被编译。",
    ),
    "H26": (
        "形状不符",
        "输入的宽度与第一次不同，或者两个形状不相配的值放在一起运算。错误信息给出算子，下面的注释给出层和它的输入。",
        "样本数可以随调用而变：那时计算图会重新编译。其他大小都写在参数的形状里。",
        "比较注释中的形状。在 hybridize 之前，`net.summary(x)` 逐层显示形状。",
    ),
    "H27": (
        "元素类型不符",
        "参数为 float32 的网络，却用 float64 或整数来调用。",
        "算子要求所有输入的元素类型相同：悄悄转换会掩盖在哪里损失了精度，在哪里花费了时间。",
        "转换输入，`x.astype('float32')`，或者转换网络，`net.cast(\"float64\")`。",
    ),
    "H28": (
        "输入在两个设备上",
        "一个输入在 `cpu(0)` 上，另一个在 GPU 或 `cpu(1)` 上。",
        "编译好的程序在一个设备上运行，就是它的输入所在的设备。",
        "在调用之前把它们移到同一个设备：`y.as_in_context(x.context)`。",
    ),
    "H29": (
        "参数与输入不在同一设备",
        "网络在一个设备上初始化，调用时输入却在另一个设备上。",
        "参数只在初始化时指定的设备上各有一份，别处没有。",
        "移动输入，或者移动网络：`net.collect_params().reset_ctx(x.context)`。",
    ),
    "H30": (
        "还没有可导出的计算图",
        "hybridize 之后的网络还没有被调用，就执行 `net.export(...)`。",
        "`hybridize()` 本身什么也不运行。计算图由第一次调用生成。",
        "先调用 `net.hybridize()`，再调用一次网络，然后调用 `net.export`。",
    ),
    "H31": (
        "混用旧数组与 `np` 数组",
        "旧式算子得到了 `np` 的数组（或 Symbol），或者反过来。",
        "有两种写法：旧的一种是 `nd` 和 `F.relu`，NumPy 式的一种是 `np`、`npx`、`F.np` 和 `F.npx`。"
        "一个网络用其中一种写成，`npx.set_np()` 为各层选择后者。",
        "只用一种写法。`x.as_np_ndarray()` 和 `x.as_nd_ndarray()` 不复制数据就能转换。",
    ),
    "H32": (
        "块没有 `hybrid_forward`",
        "一个类继承了 HybridBlock，却没有说明计算什么，或者名字写错了。",
        "调用 HybridBlock 就是运行它的 `hybrid_forward`：要么每次调用都运行，要么为追踪运行一次。",
        "编写 `def hybrid_forward(self, F, x):`。",
    ),
    "H33": (
        "没有调用 `super().__init__()`",
        "块在自己成为块之前就给属性赋了层或参数。",
        "把一个块赋给属性，就是把它注册为子块，而登记表由 `HybridBlock.__init__` 创建。",
        "在 `__init__` 的开头调用 `super().__init__()`。",
    ),
    "H34": (
        "`static_shape` 缺少 `static_alloc`",
        "`net.hybridize(static_shape=True)`，然后第一次调用就引发错误。",
        "把依赖形状的东西一次决定好，只有在内存也保留的情况下才有意义。",
        "写 `net.hybridize(static_alloc=True, static_shape=True)`。",
    ),
    "H51": (
        "`print` 只打印一次",
        "`hybridize()` 之前，`hybrid_forward` 中的 `print` 每次调用都打印；"
        "之后只在第一次调用时打印，而且打印的是 Symbol。",
        _ONCE,
        "在网络外面打印，把值作为另一个输出返回，或者在查看期间调用 `net.hybridize(False)`。",
    ),
    "H52": (
        "计数器或其他 Python 变量不再变化",
        "`self.calls += 1` 在 `hybridize()` 之前会计数。之后只数到一，它在计算图中的值保持那时的样子。",
        _ONCE + "计算图中只有 `F` 的算子；对 Python 数的 `+= 1` 不是算子。",
        '在网络外面改变它，并作为输入传进来。网络的状态应放在 `grad_req="null"` 的 Parameter 里。',
    ),
    "H53": (
        "属性保持追踪时的值",
        "hybridize 并调用过一次之后，`net.factor = 10` 什么也不改变。",
        _ONCE + "`self.factor` 在那时被读取，它的值成了计算图中的常量。",
        "改变后再调用 `net.hybridize()`，或者把它变成输入、Parameter 或 Constant。",
    ),
    "H54": (
        "分支只决定一次",
        "`if autograd.is_training():` 或其他对 Python 值的 `if`，在追踪网络时走了一条路，在计算图中就永远走这条路。",
        _ONCE + "计算图中只有所走的那条路上的算子。",
        "知道模式的算子（`F.Dropout`、`F.BatchNorm`）不会被冻结。`F.where` 和 `F.contrib.cond` "
        "每次调用都按数值决定。固定的东西应放在构造函数里。",
    ),
    "H55": (
        "循环被展开",
        "Python 的循环在追踪网络时运行。那时运行几次，计算图中就有几份循环体。",
        _ONCE + "一千次循环就是一千份算子，而且看不到循环次数的改变。",
        "`F.contrib.foreach` 和 `F.contrib.while_loop` 是计算图中的循环。层数固定而且不多，则不是陷阱。",
    ),
    "H56": (
        "Python 或 NumPy 的随机数只抽一次",
        "`hybrid_forward` 中的 `random.random()` 或 `numpy.random.rand()` 每次调用都给出同一个数。",
        _ONCE + "那时抽到的数成了计算图中的常量。",
        "在计算图中抽取：`F.random.uniform`、`F.random.normal` 和 `F.Dropout` 每次调用都重新抽取。",
    ),
    "H57": (
        "时钟停止",
        "`hybrid_forward` 中的 `time.time()` 每次调用都给出追踪时的时间。",
        _ONCE + "时钟那时的读数成了计算图中的常量。",
        "在网络外面读取时间，把依赖它的东西作为输入传进来。",
    ),
    "H58": (
        "`x[0]`、`x[0:1]`、`for v in x` 和 `len(x)` 含义不同",
        "对数组，它们说的是行。对旧式 Symbol，它们说的是输出：`x[0]` 是整个 x，循环只运行一次，`len(x)` 是 1。"
        "没有任何错误，数值却不对。",
        "一个 Symbol 可以有多个输出，例如 `F.split` 的结果。方括号、循环和 `len` 都给了输出。",
        "对行使用算子：`F.slice_axis`、`F.take`、`F.split(..., squeeze_axis=True)`、`F.contrib.foreach`。"
        "`d2lhybrid.config(warn_silent_differences=True)` 会发出警告。",
    ),
    "H59": (
        "内部层的钩子不被调用",
        "子块上的前向钩子在逐行运行和追踪时被调用，之后再也不会。",
        "编译好的程序不调用块：各层都是同一张计算图中的算子。网络本身的钩子会被调用。",
        "需要钩子时调用 `net.hybridize(False)`，或者把值作为另一个输出返回。",
    ),
    "H60": (
        "批量大小成了 reshape 中的常数",
        "`F.reshape(x, (2, -1))` 适合试过的输入。换一个样本数，它就会失败，或者把不同样本的数值混在一起。",
        "这个数写在计算图里，而同一张计算图要用于所有的批量大小。",
        "写 `F.reshape(x, (0, -1))`：0 表示保持数据原有的大小。",
    ),
    "H61": (
        "输入或参数未被使用",
        "有警告说，某个输入或参数没有被任何计算用到。",
        "不通向输出的东西不属于计算图。这样的参数没有梯度，也不会被导出。",
        "删掉它，或者用上它：也许是名字写错了。",
    ),
    "H62": (
        "网络的一部分仍是 Python",
        "HybridBlock 之中的 Block，或者覆盖了 `forward` 的 HybridBlock，无论是否 hybridize，每次调用都逐行运行。",
        "`hybridize()` 编译的是写在 `hybrid_forward` 里的内容，不看你自己的 `forward`。",
        "继承 HybridBlock，并编写 `hybrid_forward(self, F, x)`。",
    ),
    "H63": (
        "输出的元组变成列表",
        "返回元组的网络在 `hybridize()` 之后返回列表。",
        "计算图的输出是一个平的列表；返回时按原样重新嵌套，但用的是列表。",
        "不要要求得到元组：直接解包结果，或按下标取用。",
    ),
    "H64": (
        "hybridize 后数值不同",
        "同样的输入在 `hybridize()` 之后给出不同的数、不同的形状或不同个数的输出。",
        "几乎总是上面某个陷阱：Python 的某样东西被冻结了，或者对 Symbol 有不同的含义。"
        "`check_hybridization` 指出第一个数值不同的算子，以及产生它的那一行。",
        "去看指出的那一行，对照 `F` 的算子，它们对两者做的事相同。",
    ),
    "H65": (
        "全局变量或外层函数的变量只读取一次",
        "`x * factor`，其中 `factor` 是网络外面的变量：第一次 hybridize 之后的调用完成后再改它，不起任何作用。",
        "`hybrid_forward` 只在追踪网络时运行一次，之后的调用运行编译好的程序，不再运行其中任何一行。"
        "变量在那时被读取，它的值成了计算图中的常量。",
        "把它变成输入、Parameter 或 Constant，或者改变后再调用 `net.hybridize()`。"
        "全大写且没有任何地方改变的名字被当作常量。",
    ),
    "H66": (
        "环境变量、文件、线程或设备只询问一次",
        "`hybrid_forward` 中的 `os.environ`、`open(...)`、`threading.get_ident()` 或 `mx.current_context()` "
        "只回答被追踪的那次调用，不回答之后的调用。",
        "`hybrid_forward` 只在追踪网络时运行一次，之后的调用运行编译好的程序，不再运行其中任何一行。"
        "那时的回答成了计算图中的常量。",
        "在网络外面询问，把依赖它的东西作为输入传进来；固定的东西放在构造函数里。",
    ),
    "H67": (
        "保留了追踪时的 Symbol",
        "`hybrid_forward` 中的 `self.last = y` 在 `hybridize()` 之前每次调用都保留一个数组；"
        "之后它永远保留追踪时的 Symbol。",
        "`hybrid_forward` 只在追踪网络时运行一次，之后的调用运行编译好的程序，不再运行其中任何一行。"
        "Symbol 没有数值，而且属于产生它的那张计算图。",
        "把这个值作为另一个输出返回，并作为输入传给下一次调用。",
    ),
}  # fmt: skip

for _trap in [*of_symbols.TRAPS, *of_calls.TRAPS, *silent.TRAPS]:
    add_words(dict(zip((_trap.title, _trap.trap, _trap.reason, _trap.remedy), CHINESE[_trap.number], strict=True)))
