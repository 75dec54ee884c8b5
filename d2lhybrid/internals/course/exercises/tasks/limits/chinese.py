"""Chinese texts of this chapter's checks; the English sentences are the keys."""

from __future__ import annotations

from d2lhybrid.internals.support.words import add_words

add_words(
    {
        # 04.1
        "it is one row that contains all images.": "所有图像成了一行。",
        "it depends on the size of the batch.": "它与批量大小有关。",
        # 04.2
        "which column does the index -2 select?": "-2 指的是哪一列？",
        "it is computed from rows, not from columns.": "返回的是行，而不是列。",
        # 04.3
        "exactly the other elements are replaced.": "替换反了：换掉的恰好是不该换的元素。",
        "the replaced elements still contain the old values.": "新的元素里还含有旧的元素。",
        "all elements are replaced.": "所有元素都替换了。",
        "elements that are equal to the limit are also replaced.": "等于 limit 的元素也替换了。",
        # 04.4
        "each element is chosen by its own value, not by the sum.": "应该按总和判断，而不是按每个元素判断。",
        "the two branches are swapped.": "两个分支弄反了。",
        # 04.5
        "the rows do not add up to one.": "每一行的和应该是 1。",
        "The graph contains `{ready}`, which the task asks you to build.": (
            "计算图里有 `{ready}`：这正是题目要你自己搭建的。"
        ),
        # 04.6
        "The exported graph": "在导出的计算图里",
        "hybridized, on an array of shape {shape}": "hybridize 之后，输入是形状为 {shape} 的数组",
        "Hybridized, the output for an array of shape {shape} has the wrong shape.": (
            "hybridize 之后，对形状为 {shape} 的数组，输出的形状不对。"
        ),
        "{how}, on an array of shape {shape}": "{how}，输入是形状为 {shape} 的数组",
        "{how}, the output does not have the shape of the input.": "{how}，输出的形状和输入不同。",
        "{how}, in training mode": "{how}，在训练模式下",
        "{how}, one call adds the same number to all {size} elements.": (
            "{how}，一次调用给全部 {size} 个元素加上同一个数。"
        ),
        "{how}, two calls in a row add the same noise.": "{how}，前后两次调用加上同样的噪声。",
        "{how}, the numbers that one call adds to the elements are not independent.": (
            "{how}，一次调用中，加给各元素的数不是相互独立的。"
        ),
        "{how}, the noise of a call depends on the noise of the previous call.": (
            "{how}，一次调用的噪声与前一次的有关。"
        ),
        "{how}, the noise of Noise({scale}) has a standard deviation of {spread:.2f}.": (
            "{how}，Noise({scale}) 的噪声的标准差是 {spread:.2f}。"
        ),
        "{how}, the mean of the noise is {mean:.2f}.": "{how}，噪声的平均值是 {mean:.2f}。",
        "{how}, the noise is not normally distributed: {within:.0%} of it is within one standard deviation.": (
            "{how}，噪声不服从正态分布：有 {within:.0%} 在一个标准差以内。"
        ),
        "{how}, the noise depends on the input.": "{how}，噪声与输入有关。",
        # 04.7
        "it is only the last average.": "这只是最后一个平均值。",
        "no row depends on earlier rows.": "每一行都与前面的行无关。",
        # 04.8
        "is the length of a row known while the block is traced?": "追踪这个块的时候，能知道一行有多长吗？",
        "no line needs a value. Hybridize it, and compare.": ("没有哪一行需要数值。对它做 hybridize，再比较。"),
        "`x[0]` of an array is its first row. What is `x[0]` of a symbol with one output?": (
            "数组的 `x[0]` 是它的第一行。只有一个输出的符号，它的 `x[0]` 是什么？"
        ),
        "`-1` is inferred when the shape is known; no code has to read the shape.": (
            "有了形状，`-1` 就会推断出来；代码不用读取形状。"
        ),
        "call it twice after `hybridize()`, and look at `self.count` in the result.": (
            "在 `hybridize()` 之后调用它两次，看看结果里的 `self.count`。"
        ),
        "`self.count` is a Python number, so the trace raises no error.": (
            "`self.count` 是 Python 的数，所以追踪时不会报错。"
        ),
        "is there a function `array` for symbols?": "有用于符号的函数 `array` 吗？",
        "Dropout is an operator. Does it read the mode in the trace, or when it runs?": (
            "`F.Dropout` 是一个算子。它在追踪时读取模式，还是在运行时读取？"
        ),
        "try it.": "试一试。",
        "in which mode was it traced? Call it in the other mode.": "追踪时是哪一种模式？用另一种模式调用它。",
        "`is_training()` returns a Python bool, so the trace raises no error.": (
            "`is_training()` 返回 Python 的布尔值，所以追踪时不会报错。"
        ),
    }
)
