"""Chinese texts of exercises and of code shared by their checks; the English sentences are the keys."""

from __future__ import annotations

from ...support.words import add_words

add_words(
    {
        # The titles of the chapters.
        "Imperative and symbolic": "命令式与符号式",
        "Hybrid sequential": "HybridSequential",
        "Hybrid block": "HybridBlock",
        "Limits": "限制",
        "Export": "导出",
        "Inside the compiler": "编译器内部",
        "Training": "训练",
        "Other frameworks": "其他框架",
        "Build it yourself": "自己动手写",
        # Verdicts.
        "not attempted": "未作答",
        "error": "出错",
        "wrong": "不正确",
        "right": "正确",
        "needs a look": "需要人工检查",
        "{number} {state}. {message}": "{number} {state}。{message}",
        "`{answer}` is still empty.": "`{answer}` 还是空的。",
        "This `{answer}` is ours. Run the cell with your own, then this one.": (
            "这个 `{answer}` 是我们的答案。请先运行写有你的答案的单元格，再运行这一个。"
        ),
        "{number}: continuing with our {answer}. Run this cell again when yours is right.": (
            "{number}：先用我们的 {answer} 往下走。等你的答案正确了，再运行一次这个单元格。"
        ),
        "Your code raised {error}": "你的代码引发了 {error}",
        "Your code, {doing}, raised {error}": "你的代码（{doing}）引发了 {error}",
        "Your code, {doing}, changes its arguments.": "你的代码（{doing}）修改了传给它的值。",
        "In the line `{line}`": "在这一行：`{line}`",
        "The answer was {doing}.": "当时的情形：{doing}。",
        "The result has the wrong type or structure ({error}).": "返回值的类型或结构不对（{error}）。",
        "This part was not reached.": "没有检查到这里。",
        # Hints, solutions, and progress.
        "Hint {n} of {count}": "提示 {n}（共 {count} 条）",
        '(The last hint. `ex("{number}").solution()` shows a solution.)': (
            '（这是最后一条提示。`ex("{number}").solution()` 显示参考解法。）'
        ),
        "One solution": "参考解法",
        "{title}:\n{text}": "{title}：\n{text}",
        "**{title}.** {text}": "**{title}** {text}",
        "{right} of {all} exercises solved": "{all} 道练习，已做对 {right} 道",
        "<b>{right} of {all}</b> exercises solved": "{all} 道练习，已做对 <b>{right}</b> 道",
        # Answers and data.
        ", ": "、",
        "a {name}": "一个 {name}",
        "{a} and {b}": "{a} 和 {b}",
        "none": "无",
        "nothing": "无",
        "an array of shape {shape}": "形状为 {shape} 的数组",
        "called with {inputs}": "调用时传入的是：{inputs}",
        "The answer must be a dictionary, not {got}.": "答案应该是字典，而不是{got}。",
        "There is no answer yet for {missing}.": "还没有回答的有：{missing}。",
        "{line}: {reason}": "{line}：{reason}",
        "this choice is wrong.": "不对。",
        "{where} the function does not return a number.": "{where}函数返回的不是数。",
        # Comparing arrays.
        "{what} is {got}, not an array.": "{what}不是数组，而是{got}。",
        "{what} is wrong: {sentence}": "{what}不对：{sentence}",
        "{what} has the wrong shape: {shape}.": "{what}形状不对：{shape}。",
        "{what} contains NaN.": "{what}里有 NaN。",
        "{count} of {size} elements": "{size} 个元素中有 {count} 个",
        "{what} has the right shape, but wrong values in {share}, the first at index {place}.": (
            "{what}形状正确，但数值不对：{share}不对，其中第一个的索引是 {place}。"
        ),
        # Graphs.
        "The graph cannot be read: {error}": "无法读取计算图：{error}",
        "The graph has variables that are neither inputs nor parameters: {missing}.": (
            "计算图里有既不是输入也不是参数的变量：{missing}。"
        ),
        "The graph cannot be run on {inputs}: {error}": "无法运行计算图，输入是{inputs}：{error}",
        "The graph is empty.": "计算图是空的。",
        # Nets.
        "line by line": "逐行运行",
        "hybridized": "已 hybridize",
        "Line by line": "逐行运行时",
        "Hybridized": "hybridize 之后",
        "making the net with {made}": "用 {made} 创建网络",
        "{made} returns a {type}, not a net.": "{made} 返回的不是网络，而是一个 {type}。",
        "the net itself": "网络本身",
        "{path} is a {kind}": "{path}：{kind}",
        "These blocks of the net are not HybridBlocks: {plain}. Python still runs them.": (
            "网络里有的块不是 HybridBlock（{plain}），这些块仍由 Python 运行。"
        ),
        "asked for its graph": "获取网络的计算图",
        "called line by line": "逐行运行",
        "called line by line on {inputs}": "逐行运行，输入是{inputs}",
        "{how} on {inputs}": "{how}，输入是{inputs}",
        "{how}, in training mode, on {inputs}": "{how}，在训练模式下，输入是{inputs}",
        "{how}, the net returns {count} outputs, not one.": "{how}，网络返回了 {count} 个输出，应该只有一个。",
        "{how}, the output for {inputs}": "{how}，输入{inputs}时的输出",
        "{how}, the output in training mode": "{how}，训练模式下的输出",
        "The exported graph's output for {inputs}": "导出的计算图在输入{inputs}时的输出",
        "Hybridized, the net ran `hybrid_forward` {runs} times in {calls} calls.": (
            "hybridize 之后，`hybrid_forward` 在 {calls} 次调用中运行了 {runs} 次。"
        ),
        "A parameter has the shape {shape}: {reason}": "有一个参数的形状是 {shape}：{reason}",
        "{made} returns None, not a net. Is a `return` missing?": (
            "{made} 返回的是 None，不是网络。是不是漏了 `return`？"
        ),
        "{made} changes its arguments: afterwards, they are {args}.": "{made} 修改了传给它的值：现在是 {args}。",
        "Called twice, {made} returns two nets that share parameters: every call must create its own layers.": (
            "两次调用 {made}，返回的两个网络共享参数；每次调用都应该创建新的层。"
        ),
        "The net has the wrong number of parameters: {count} instead of {expected}. Their shapes: {listed}.": (
            "网络的参数个数与题目不符：有 {count} 个，应有 {expected} 个；形状为 {listed}。"
        ),
        "The net of the task has no parameter of shape {odd}.": ("题目里的网络没有形状为 {odd} 的参数。"),
        "Gradients arrive at only {count} of the {all} parameters.": "{all} 个参数中，只有 {count} 个有梯度。",
        "a parameter of shape {shape}": "形状为 {shape} 的参数",
        "the input": "输入",
        "the first input": "第一个输入",
        "the second input": "第二个输入",
        "{how}, the gradient of {label} has the wrong shape.": "{how}，{label}的梯度形状不对。",
        "{how}, the gradient of {label} is wrong.": "{how}，{label}的梯度不对。",
        "{how}, the gradients are wrong.": "{how}，梯度不对。",
    }
)
