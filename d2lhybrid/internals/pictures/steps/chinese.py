"""Chinese texts of the stepper, with the English texts as keys."""

from __future__ import annotations

from ...support.words import add_words

add_words(
    {
        # The view.
        "Graph": "计算图",
        "Panels": "面板",
        "Values": "数值",
        "Your code": "你的代码",
        "lines of the library": "库的代码",
        "with gradients": "包括梯度",
        "details": "细节",
        "details ({count})": "细节（{count}）",
        "before": "之前",
        "after": "之后",
        "Before and after": "前后对比",
        "What was saved": "节省了什么",
        "stage {n} of {count}": "阶段 {n} / {count}",
        "step {n} of {count}": "步骤 {n} / {count}",
        "drag to move, Ctrl + wheel to zoom": "拖动可以移动，Ctrl + 滚轮可以缩放",
        "output": "输出",
        "passes": "各个遍",
        "Program": "程序",
        "Chapters": "章节",
        "step back": "上一步",
        "step forward": "下一步",
        "play": "播放",
        "pause": "暂停",
        "position": "位置",
        "printed": "打印",
        "forward": "前向",
        "backward": "反向",
        "smallest": "最小",
        "mean": "平均",
        "largest": "最大",
        "took": "用时",
        "{n} bytes": "{n} 字节",
        "buffer": "缓冲区",
        "nothing": "无",
        "{count} more": "还有 {count} 个",
        "{count} steps": "{count} 步",
        "and {count} more steps": "还有 {count} 步",
        "and {count} more lines": "还有 {count} 行",
        "and {count} more buffers": "还有 {count} 个缓冲区",
        "{title}: {count} steps ({names})": "{title}：{count} 步（{names}）",
        "{chapter}: {count} steps are left out.": "{chapter}：省略了 {count} 步。",
        "Only the first of {count} nodes are drawn.": "共 {count} 个节点，只画出前面的一部分。",
        "Compiling {net}": "编译 {net}",
        # Milestones.
        "The compiler finds nothing to improve in this graph.":
            "编译器没有在这个计算图里找到可以改进的地方。",
        "Your code runs once, with symbols instead of numbers. Every operator that it calls becomes a node.":
            "用符号代替数值，把你的代码运行一次。代码调用的每个算子都成为一个节点。",
        "{count} operators are recorded; nothing is computed.": "记录了 {count} 个算子，没有做任何计算。",
        "It prints {count} lines now, and never again.": "现在打印 {count} 行，以后不再打印。",
        "The shape of the input determines all other shapes: each operator has a rule.":
            "由输入的形状推断出其他所有的形状：每个算子都有自己的推断规则。",
        "{count} weights had no shape yet; they infer it from the data.":
            "有 {count} 个权重原先没有形状，现在由数据推断出来。",
        "A second program computes the gradients (∂), in {count} lines.": "第二个程序用 {count} 行计算梯度（∂）。",
        "The nodes become lines: the program is a Python function of {count} lines.":
            "节点变成代码行：程序是一个 {count} 行的 Python 函数。",
        "The program runs. The memory of each value is next to its line.":
            "程序运行。每一行旁边标出结果放在哪块内存里。",
        "Before and after: the graph of your code, and the graph that runs in every call.":
            "前后对比：由你的代码得到的计算图，和每次调用时运行的计算图。",
        "The next call with these shapes runs the program directly, without the earlier steps.":
            "下一次调用时，只要输入的形状不变，就直接运行程序，不再重复前面的步骤。",
        "Python functions that run": "运行的 Python 函数",
        "printed lines": "打印的行数",
        "operators in every call": "每次调用运行的算子",
        "memory for intermediate values": "中间值的内存",
        # Chapters and passes.
        "Trace": "追踪",
        "Infer": "推断",
        "Memory": "内存",
        "Code": "代码",
        "Run": "运行",
        "{count} unchanged": "{count} 个无变化",
        "{name} again": "再次{name}",
        "split": "分割",
        "Split: cut the graph into programs: forward, backward, and the part that depends only on parameters.": (
            "分割：把计算图分成几个程序，分别用于前向传播、反向传播，以及只依赖参数的计算。"
        ),
        # Trace.
        "Nothing is traced: this net was made from a graph, so there is no Python code to run.":
            "没有追踪：这个网络由计算图创建，没有 Python 代码可以运行。",
        "The net is called for the first time after hybridize(): its hybrid_forward begins.":
            "hybridize() 之后第一次调用网络：hybrid_forward 开始运行。",
        "It runs once, with Symbols in place of arrays: they have no numbers, only names.":
            "只运行一次，传入的是 Symbol 而不是数组：Symbol 没有数值，只有名字。",
        "{path} ({kind}) is called: its hybrid_forward begins.":
            "调用 {path}（{kind}）：它的 hybrid_forward 开始运行。",
        "Blocks inside the net are called like functions: all become one graph.":
            "调用网络内部的块，就像调用函数一样；所有的块都进入同一个计算图。",
        "The function {name} is called.": "调用函数 {name}。",
        "A function is not in the graph: only the operators that it calls are.":
            "函数本身不在计算图中：计算图中只有它所调用的算子。",
        "This line prints. It creates no node.": "这一行只打印，不产生节点。",
        "Code that creates no node is not in the graph: the compiled program will not print.":
            "不产生节点的代码不在计算图中：编译后的程序不会打印。",
        "Python runs this line. It creates no node.": "Python 运行这一行，不产生节点。",
        "The graph contains only operators of F; what Python decides here is frozen.":
            "计算图中只有 F 的算子；Python 在这里做出的判断从此冻结。",
        "{op} of {inputs}: nothing is computed, and the node {name} is created.":
            "对 {inputs} 调用 {op}：什么也不计算，只产生节点 {name}。",
        "A Symbol records which operator to apply, and to what.": "Symbol 记录用的是哪个算子，输入是什么。",
        "{op} of {inputs} makes {name}, inside the body of a loop or a branch.":
            "对 {inputs} 调用 {op}，产生 {name}，放在循环体或分支里。",
        "A body is a separate graph, stored in the node of the loop.":
            "循环体或分支是单独的计算图，保存在循环的节点里。",
        "No result needs it: it will not be in the program.": "结果用不到这个节点，所以程序里不会有它。",
        "hybrid_forward returns. The graph has {count} operators.": "hybrid_forward 返回。计算图中有 {count} 个算子。",
        "From now on, the graph replaces hybrid_forward, which will not run again.":
            "从现在起，计算图代替 hybrid_forward，后者不再运行。",
        # Inference.
        "Known at first: {names}.": "一开始已知的有：{names}。",
        "Inference goes from node to node until it finds no new shape.": "逐个节点推断，直到推不出新的形状为止。",
        "Each operator has a rule that finds the shapes of its outputs from those of its inputs.":
            "每个算子都有一条规则，由输入的形状求出输出的形状。",
        "The rule of {op} finds {name}: {shape}.": "按 {op} 的规则，求出 {name}：{shape}。",
        "The rule also infers input shapes, backwards: {inputs}.": "这条规则还反过来推断出输入的形状：{inputs}。",
        "This is how a layer without in_units gets the shape of its weight from the data.":
            "如果没有指定 in_units，层就这样由数据推断出权重的形状。",
        "The result is the same.": "结果相同。",
        "Some shapes have changed.": "有些形状变了。",
        "The parameters get their values. Then inference runs again, for the compiler. {what}":
            "参数得到初始值。然后再推断一次，供编译器使用。{what}",
        "The parameters were deferred, because their initializers need shapes.":
            "参数的初始化延后到现在，因为初始化需要形状。",
        "Dtypes are inferred in the same way: {dtype} everywhere.": "用同样的办法推断元素类型：全部是 {dtype}。",
        "Dtypes are inferred in the same way: {dtypes}.": "用同样的办法推断元素类型：{dtypes}。",
        "Now every size is known, and the compiler can plan: a program is made for these shapes only.":
            "现在所有大小都已知，编译器可以规划了：生成的程序只适用于这些形状。",
        "The program will write back states: {names}.": "程序会把这些状态写回：{names}。",
        "The backward program will write back states: {names}.": "反向程序会把这些状态写回：{names}。",
        "Operators change nothing; their new state is an ordinary output.":
            "算子什么也不修改，新的状态就是普通的输出。",
        # Passes.
        "{names}: nothing to change here.": "{names}：这里没有要改的地方。",
        "{before} is removed: {after} is used in its place.": "删除 {before}，用到它的地方改用 {after}。",
        "{before} computes the same as {after}, and is merged into it.":
            "{before} 与 {after} 计算的内容相同，并入后者。",
        "{before} depends on no input: it is computed now, once, and becomes a constant.":
            "{before} 不依赖任何输入，所以现在计算一次，成为常量。",
        "{before} are fused into one node, {after}.": "{before} 融合成一个节点 {after}。",
        "{before} goes into {after}, which now does the work of both.":
            "{before} 并入 {after}，后者现在完成两者的工作。",
        "{name} now returns {new}; before, it returned {old}.": "{name} 现在返回 {new}，之前返回 {old}。",
        "{before} is replaced by {after}.": "用 {after} 替换 {before}。",
        "{first} moves behind {second}.": "{first} 移到 {second} 之后。",
        "Dropped, because unused: {before}.": "丢弃 {before}：结果用不到这个节点。",
        "Added: {after}.": "加入 {after}。",
        "The gradient of {before}: {after}.": "加入 {before} 的梯度：{after}。",
        "After {name}: {after} operators, {before} before.": "{name} 之后有 {after} 个算子，之前有 {before} 个。",
        "The graph is cut in two: {f} operators forward, {b} backward.":
            "计算图分成两部分：前向传播 {f} 个算子，反向传播 {b} 个算子。",
        "Kept for the backward program: {names} ({nbytes} bytes).": "为反向程序保留：{names}（{nbytes} 字节）。",
        "The backward program needs these values from the forward program; all others are freed.":
            "反向程序需要前向程序算出的这些值；其余的值都会释放。",
        # Memory.
        "The order is fixed, so the last use of each value is known. {count} values, {buffers} buffers.":
            "运行顺序已经固定，所以知道每个值最后在哪一行用到。共有 {count} 个值、{buffers} 个缓冲区。",
        "The bar of each value goes from the line that computes it to its last use.":
            "每个值对应一个竖条，从算出它的那一行，到最后用到它的那一行。",
        "{name}: {nbytes}, from line {first} to the end, as a result.":
            "{name}：{nbytes}，从第 {first} 行到末尾：它是结果。",
        "{name}: {nbytes}, from line {first} to line {last}.": "{name}：{nbytes}，从第 {first} 行到第 {last} 行。",
        "A buffer is free for another value after the last use of its value.":
            "缓冲区里的值最后一次用过之后，缓冲区就可以存放别的值。",
        "It overwrites {over}, which is no longer needed.": "它覆盖不再需要的 {over}。",
        "Writing in place saves memory, and the time to fetch it.": "原地写入既节省内存，也节省访问内存的时间。",
        "All values together take {total}; the buffers take {buffers}.":
            "所有值合计占 {total}，缓冲区合计占 {buffers}。",
        "All values together take {total}; the buffers take {buffers}; the plan's peak is {peak}.":
            "所有值合计占 {total}，缓冲区合计占 {buffers}，规划的峰值是 {peak}。",
        "Arguments and parameters do not count: they exist anyway.": "输入和参数的内存本来就有，不计在内。",
        # Code and run.
        "The program is a Python function of {count} arrays.": "程序是一个 Python 函数，它的输入是 {count} 个数组。",
        "It has no Symbol, NDArray, or block, only lines on plain arrays.":
            "程序里没有 Symbol，没有 NDArray，也没有块，只有直接处理 NumPy 或 CuPy 数组的代码。",
        "{name} ({op}) becomes this line; the result is {type}.": "{name}（{op}）变成这一行；结果是 {type}。",
        "{name} ({op}) becomes {count} lines, from here on; the result is {type}.":
            "{name}（{op}）从这里开始变成 {count} 行；结果是 {type}。",
        "The name is the node's; the comment describes the result.": "变量名就是节点的名字；注释说明结果的形状和类型。",
        "One more line for {name}.": "还有一行也属于 {name}。",
        "The memory of {names} is freed.": "释放 {names} 的内存。",
        "This was their last use.": "以后不再用到这些值。",
        "The results are returned.": "返回结果。",
        "After the outputs come {count} values that the backward program needs.":
            "输出之后是反向程序需要的 {count} 个值。",
        "Fails": "出错",
        "It fails here": "在这里出错",
        "removed by {stage}": "已由 {stage} 去掉",
        "computed once": "只算一次",
        "New: {n} operators that are computed once, from the weights.":
            "新增：{n} 个只依赖权重的算子，它们只运行一次。",
        "from the weights: {n} operators": "只依赖权重：{n} 个算子",
        "{count} operators depend only on weights, so they run once, not in every call.":
            "{count} 个算子只依赖权重，所以只运行一次，而不是每次调用都运行。",
        "Point at something to see what belongs to it. Click to keep it, double-click to show its step.":
            "把鼠标停在一行、一个方框或一个竖条上，相关的部分都会高亮显示。单击可以保持高亮，双击可以看到对应的步骤。",
        "The trace succeeded, because a Symbol has no shape that could be wrong. Shape inference fails.":
            "追踪成功了，因为 Symbol 没有形状，也就谈不上形状不对。推断形状时才出错。",
        "The graph is complete, with all its types. The compiler fails.":
            "计算图已经完整，所有类型都已知。编译时出错。",
        "The program is ready. It fails while it runs.": "程序已经生成。运行时出错。",
        "The program ran. The backward pass fails.": "程序已经运行。反向传播时出错。",
        "This line belongs to no node.": "这一行不属于任何节点。",
        "This program runs as machine code: its lines cannot be watched.": "这个程序以机器码的形式运行，无法逐行观察。",
        "The generated program runs; these are its real values.": "生成的程序正在运行；这些是真实的值。",
        "The program returns one array.": "程序返回一个数组。",
        "The program returns {count} arrays.": "程序返回 {count} 个数组。",
        "The memory of {names} is free again.": "{names} 的内存已释放。",
        "This line runs.": "运行这一行。",
        "{name} is changed in place.": "原地修改 {name}。",
        "{name} is computed: {type}, a view of an argument.": "算出 {name}：{type}，是某个输入数组的视图。",
        "{name} is computed: {type}, written over {over}.": "算出 {name}：{type}，覆盖 {over}。",
        "{name} is computed: {type}, another view of {over}.": "算出 {name}：{type}，是 {over} 的另一个视图。",
        "{name} gets memory, buffer {buffer}, for {type}; it has no values yet.":
            "为 {name} 分配内存（缓冲区 {buffer}），用来存放 {type}；里面还没有数值。",
        "{name} is computed: {type}, in buffer {buffer}.": "算出 {name}：{type}，在缓冲区 {buffer} 中。",
        # A program in a string.
        "Compiling a program in a string": "编译写成字符串的程序",
        "the program text": "程序文本",
        "Define": "定义",
        "Compile": "编译",
        "Inline": "内联",
        "Fold": "折叠",
        "Rewrite": "改写",
        "Execute": "运行",
        "The computation is defined as text: a string of {count} characters.":
            "计算用文本来定义：一个字符串，共 {count} 个字符。",
        "Nothing is computed. A compiler sees the whole program at once.":
            "还没有做任何计算。编译器能看到整个程序。",
        "The text describes how {name} is computed. No function exists yet.": (
            "文本描述了怎样计算 {name}，但函数还不存在。"
        ),
        "The text describes a computation: {piece}": "文本描述了一个计算：{piece}",
        "A definition, not a computation.": "这是定义，不是计算。",
        "compile() reads the text. The statements that call functions, as trees:":
            "compile() 读取文本。下面把调用函数的语句画成树：",
        "The expression to compute first is on top; a call needs its arguments.":
            "最先计算的表达式在最上面；调用需要先算出实参。",
        "Python compiles it to {count} instructions, which make {calls} calls.":
            "Python 把它编译成 {count} 条指令，其中有 {calls} 次调用。",
        "Python keeps every call, because a function could be redefined. With the whole program, a compiler can "
        "do better.":
            "Python 保留每次调用，因为函数可能会重新定义。能看到整个程序的编译器，可以做得更好。",
        "Nothing to rewrite: the program has no calls of its own functions, and no constant expressions.":
            "没有可以改写的地方：程序没有调用自己定义的函数，也没有常量表达式。",
        "Now {piece}:": "现在看 {piece}：",
        "{call} becomes {new}.": "{call} 变成 {new}。",
        "{call} stays: {reason}.": "{call} 保持不变：{reason}。",
        "{name} is left as it is: {reason}.": "{name} 保持原样：{reason}。",
        "{name} is always {value} here.": "{name} 在这里总是 {value}。",
        "{name} is no longer called, so its definition is removed.": "不再调用 {name}，删去它的定义。",
        "{old} is {value}: computed now, once.": "{old} 等于 {value}：现在就算好，只算一次。",
        "{old} stays: {error}.": "{old} 保持不变：{error}。",
        "The body of a pure function can replace its call, with arguments in place of parameters.":
            "纯函数的调用可以换成它的函数体，其中的形参换成实参。",
        "The name is assigned once, and its value is known.": "这个名字只赋值一次，而且值已知。",
        "A value that depends on no input is the same in every run.": "不依赖任何输入的部分，每次运行的值都相同。",
        "It is no longer needed.": "不再需要它。",
        "A rewrite must never change what a program does.": "改写绝不能改变程序的行为。",
        "it is decorated": "它有装饰器",
        "it takes more than plain arguments": "它的形参不全是普通的形参",
        "the default of an argument is computed": "某个形参的默认值需要计算",
        "it does not end with the return of a value": "它的最后一句不是返回一个值",
        "it returns in more than one place": "它有不止一个 return",
        "it uses {name} from outside": "它用到函数外部的 {name}",
        "it calls itself": "它调用自己",
        "it calls its argument {name}": "它调用自己的形参 {name}",
        "it calls {names}, which may do more than compute": "它调用 {names}，后者可能有副作用",
        "line {line} contains a statement ({kind}) other than `name = ...`":
            "第 {line} 行有 `name = ...` 以外的语句（{kind}）",
        "{piece} is not a call of a function by its name": "{piece} 不是直接用函数名来调用",
        "{piece} is more than arithmetic": "{piece} 不只是算术运算",
        "{piece} may do more than compute": "{piece} 可能有副作用",
        "{name} is not used, and leaving out {piece} could hide an error":
            "{name} 没有用到，但省去 {piece} 可能会掩盖错误",
        "{name} is not always used, and {piece} may raise an error": "{name} 不一定用到，而 {piece} 可能出错",
        "the name means more than one thing in this program": "这个名字在程序中有不止一个含义",
        "{name} would be computed {count} times": "否则 {name} 要计算 {count} 次",
        "the text would become too long": "否则文本会太长",
        "the arguments do not match the parameters": "实参与形参不匹配",
        "{name} is not defined yet": "{name} 尚未定义",
        "the result would be too large": "算出的结果会太大",
        "only simple comparisons are computed": "只计算简单的比较",
        "The original program makes every call, and stores the value of every name.":
            "在原来的程序里，每次调用都要运行，每个名字的值都要保存。",
        "Line {number} has run: {piece}": "第 {number} 行已运行：{piece}",
        "Line {number} has run, and defined a function.": "第 {number} 行已运行，定义了一个函数。",
        "The rewritten program runs: {calls} calls, not {before}; {count} instructions, not {more}.":
            "运行改写后的程序：{calls} 次调用，原来是 {before} 次；{count} 条指令，原来是 {more} 条。",
        "Fewer calls and less memory for intermediate values are the benefits of symbolic programming.":
            "调用更少，中间值占用的内存也更少：这就是符号式编程的好处。",
        "Both print the same.": "两者打印的内容相同。",
        "They do not print the same!": "两者打印的内容不同！",
    }
)  # fmt: skip
