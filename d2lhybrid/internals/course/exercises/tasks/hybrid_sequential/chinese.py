"""Chinese texts of this chapter's checks; the English sentences are the keys."""

from __future__ import annotations

from d2lhybrid.internals.support.words import add_words

add_words(
    {
        # 02.1
        "it is a linear function of the input. Where are the activations?": "它是输入的线性函数。激活函数在哪里？",
        "no element is negative. Is there one activation too many?": ("没有一个元素是负的。是不是多用了一个激活函数？"),
        # 02.2
        "it has negative elements. Where are the activations?": "它有负的元素。激活函数在哪里？",
        # 02.4
        "For {given},": "对于 {given}，",
        "called with {given}": "调用时传入的是：{given}",
        "{where} the function does not return a pair of numbers.": "{where}函数返回的不是一对数。",
        "{where} the number of runs of `hybrid_forward` is not {got}.": (
            "{where}`hybrid_forward` 运行的次数不是 {got}。"
        ),
        "{where} the number of compiled programs is not {got}.": "{where}编译的程序数不是 {got}。",
        # 02.5
        "called with calls={calls}": "传入 calls={calls}",
        "For calls={calls} and a net whose first call takes {first:.0f} seconds and all others about 1,": (
            "有一个网络，第一次调用需要 {first:.0f} 秒，以后每次约 1 秒，calls={calls}："
        ),
        "{where} the net was called {made} times instead of {calls}.": (
            "{where}网络应该调用 {calls} 次，实际调用了 {made} 次。"
        ),
        "{where} the function returns {result:.3g}, which is the total time of all calls.": (
            "{where}函数返回 {result:.3g}：这是所有调用的总时间。"
        ),
        "{where} the function returns {result:.3g}, which includes a trace and a compilation.": (
            "{where}函数返回 {result:.3g}：其中包括一次追踪和一次编译。"
        ),
        "{where} the function returns {result:.3g}: the clock is read before the computations are finished.": (
            "{where}函数返回 {result:.3g}：计算还没有完成，就读取了时钟。"
        ),
        "{where} the function returns {result:.3g}, which is not the mean time of {calls} calls.": (
            "{where}函数返回 {result:.3g}：这不是 {calls} 次调用的平均时间。"
        ),
    }
)
