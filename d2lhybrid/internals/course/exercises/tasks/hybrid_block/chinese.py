"""Chinese texts of this chapter's checks; the English sentences are the keys."""

from __future__ import annotations

from d2lhybrid.internals.support.words import add_words

add_words(
    {
        # 03.1
        "no element is negative. What is the input of the ReLU?": "没有一个元素是负的。ReLU 的输入是什么？",
        "it is a linear function of the input.": "它是输入的线性函数。",
        "it does not include the input itself.": "没有加上输入本身。",
        # 03.2
        "that is right without `hybridize()`. Does the compiled program run the `print`?": (
            "如果没有 `hybridize()`，确实如此。可是，编译后的程序会运行 `print` 吗？"
        ),
        "the first call is still line by line, and prints as always.": "第一次调用还是逐行运行，照常打印。",
        "count: which of the four calls run the method?": "数一数：四次调用中，哪几次运行了这个方法？",
        "adding to `self.calls` is Python, not a computation with `x`.": (
            "给 `self.calls` 加一是 Python 代码，不是对 `x` 的计算。"
        ),
        "it changes whenever the method prints.": "每打印一次，`self.calls` 就加一。",
        "before `hybridize()` the block runs on arrays.": "在 `hybridize()` 之前，传给块的是数组。",
        "what does the trace pass to the method?": "追踪时传给这个方法的是什么？",
        "the last run of the method was the trace.": "这个方法最后一次运行，就是追踪那一次。",
        "the caller passes an array. Does a call on an array ever return a symbol?": (
            "调用者传入的是数组。传入数组的调用会返回符号吗？"
        ),
        "`hybridize()` drops the graph.": "`hybridize()` 会丢弃计算图。",
        "how many traces does one call after `hybridize()` need?": "`hybridize()` 之后的一次调用需要追踪几次？",
        # 03.3
        "line by line, `x` is an array with numbers in it. Try it.": "逐行运行时，`x` 是有数值的数组。试一试。",
        "what is `x` while the block is traced? Try it.": "追踪这个块的时候，`x` 是什么？试一试。",
        "that is the error of `x.shape`. The method `asnumpy` exists, and raises a different error.": (
            "那是 `x.shape` 引发的错误。方法 `asnumpy` 存在，它引发的是另一个错误。"
        ),
        "copy the name of the exception: in the last line of the traceback, the text before the colon.": (
            "照抄异常的名字：回溯最后一行里冒号前面的文字。"
        ),
        "`hybridize()` itself runs nothing. Which line raises the exception?": (
            "`hybridize()` 本身什么也不运行。引发异常的是哪一行？"
        ),
        "which of the two calls runs the method?": "两次调用中，哪一次运行这个方法？",
        "the conversion would be as easy as in eager mode, if there were values to convert.": (
            "只要有数值，转换就和逐行运行时一样容易；问题是没有数值。"
        ),
        "a GPU makes no difference.": "这与 GPU 无关。",
        "the first call raises the exception, before anything is compiled.": (
            "异常出现在第一次调用时，那时还没有编译。"
        ),
        "write one of the four letters.": "填四个字母中的一个。",
        # 03.4
        "each row must have its own mean.": "每一行都应该用自己的平均值。",
        # 03.5
        "Python runs the loop during the trace. How often does the body run, and what does each run add to the "
        "graph?": ("这个循环由 Python 在追踪时运行。循环体运行几次？每次在计算图里添加什么？"),
        "`self.fast` is an ordinary Python value, so Python can choose the branch.": (
            "`self.fast` 是普通的 Python 值，所以 Python 能够判断。"
        ),
        "Python chooses the branch during the trace. Does it choose again later?": (
            "Python 在追踪时做了判断。以后还会再判断吗？"
        ),
        "to choose a branch, Python must know whether the sum is positive. Try it.": (
            "要选择分支，Python 必须知道这个和是不是正数。试一试。"
        ),
        "what is the `bool` of a symbol?": "对符号调用 `bool` 会怎样？",
        "how many rows does a symbol have? Print the items of the loop.": "一个符号有几行？把循环的每一项打印出来。",
        "try it: compare the result with the eager one.": "试一试，和逐行运行的结果比较。",
        "no code reads `self.depth` after the trace.": ("追踪之后，不会再读取 `self.depth`。"),
        "this loop does not become an operator.": "这个循环不会变成算子。",
        "print `net(sym.var('x')).get_internals().list_outputs()`. Every entry except `x` is an operator's.": (
            "打印 `net(sym.var('x')).get_internals().list_outputs()`。除了 `x`，每一项都是一个算子的输出。"
        ),
        # 03.6
        "the shift is missing.": "少了 shift。",
        "the scale is missing.": "少了 scale。",
        "called for the first time": "第一次调用",
        "`collect_params()` finds {count} parameters, not scale and shift.": (
            "`collect_params()` 找到 {count} 个参数，而不是 scale 和 shift。"
        ),
        "The parameters are not called scale and shift.": "参数的名字不是 scale 和 shift。",
        "The net of the task has no parameter of shape {shape}.": ("题目里的网络没有形状为 {shape} 的参数。"),
        "After initialization, the scale is not 1 everywhere.": "初始化之后，scale 不全是 1。",
        "After initialization, the shift is not 0 everywhere.": "初始化之后，shift 不全是 0。",
        "With a scale of 0, the output": "当 scale 为 0 时，输出",
    }
)
