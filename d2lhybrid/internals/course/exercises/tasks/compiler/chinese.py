"""Chinese texts of this chapter's checks; the English sentences are the keys."""

from __future__ import annotations

from d2lhybrid.internals.support.words import add_words

add_words(
    {
        # 06.1
        "input": "输入",
        "called for {text}": "程序是 {text}",
        "For {text}, the function does not return a number.": "对于 {text}，函数返回的不是数。",
        "For {text}, the function returns {got:g}, as if no value were ever freed.": (
            "对于 {text}，函数返回 {got:g}：就像内存从来没有释放。"
        ),
        "For {text}, the function returns {got:g}, the size of the largest value. Which other values are live then?": (
            "对于 {text}，函数返回 {got:g}：这只是最大的那个值的大小。还有哪些值与这个值同时存活？"
        ),
        "For {text}, the function returns {got:g}. A line still needs its inputs while it runs.": (
            "对于 {text}，函数返回 {got:g}：一行运行时，还需要它的输入。"
        ),
        "For {text}, the function returns {got:g}. It frees a value that a later line uses.": (
            "对于 {text}，函数返回 {got:g}：释放了后面还要用到的值。"
        ),
        "For {text}, the function returns {got:g}, which is not the peak memory.": (
            "对于 {text}，函数返回 {got:g}，这不是内存的峰值。"
        ),
        # 06.2
        "For {text}:": "对于 {text}：",
        "{where} the function does not return a list of lines.": "{where}函数返回的不是由行组成的列表。",
        "{where} an item of the result is not a line of a program: {line}.": (
            "{where}结果里有一项不是程序的一行：{line}。"
        ),
        "{where} a line of the result uses `{n}`, which no earlier line defines.": (
            "{where}结果里有一行用到 `{n}`，而前面没有哪一行定义它。"
        ),
        "{where} the result computes a different value.": "{where}结果算出的值不对。",
        "{where} the result has {count} lines instead of {right}: it computes a value twice.": (
            "{where}结果有 {count} 行，应该是 {right} 行：有值算了两遍。"
        ),
        # 06.3
        "`F.ones((2, 3)) * 2` does not depend on an input.": "`F.ones((2, 3)) * 2` 不依赖任何输入。",
        "one loop would still compute the exponential twice.": "即使合成一个循环，指数还是要算两遍。",
        "the same operator is applied to the same input twice.": "同一个算子对同一个输入算了两次。",
        "`* 1` has no effect. Algebra shows this for every `x`.": ("`* 1` 不起作用。不管 `x` 是什么，用代数就能证明。"),
        "the three operators are different.": "这三个算子各不相同。",
        "the operators are three loops over the elements, one after the other.": "这是三个遍历元素的循环，一个接一个。",
        "two transposes cancel each other, which is algebra.": "两次转置互相抵消：这是代数规则。",
        "a matrix product is not element-wise: each element needs a whole row and a whole column.": (
            "矩阵乘积不是按元素计算的：每个元素都需要一整行和一整列。"
        ),
        "the two products are different, and both are needed.": "这是两个不同的乘积，每一个都需要。",
        # 06.4
        "For a graph of the operators {operators}:": "对于由算子 {operators} 组成的计算图：",
        "applied to a graph of the operators {operators}": "处理由算子 {operators} 组成的计算图",
        "{where} the pass returns a {type}, not a graph.": "{where}这个遍返回的不是计算图，而是一个 {type}。",
        "{where} the pass has changed its argument. Graphs are immutable.": (
            "{where}这个遍修改了传入的计算图。计算图是不可变的。"
        ),
        "{where} after the pass, the value": "{where}经过这个遍以后，得到的值",
        "{where} after the pass, there is still a negation of a negation.": (
            "{where}经过这个遍以后，还有连续两次取负的地方。"
        ),
        "{where} the pass has added operators.": "{where}这个遍增加了算子。",
        # 06.5
        "`bent` is not an operator. Is the decorator `@operator(...)` still there?": (
            "`bent` 不是算子。装饰器 `@operator(...)` 还在吗？"
        ),
        "The operator has the name {name}, not bent.": "算子的名字是 {name}，而不是 bent。",
        "The operator has the inputs {inputs}, not only data.": "算子的输入是 {inputs}，而不是只有 data。",
        "The operator has the attributes {attributes}, not only curve.": (
            "算子的属性是 {attributes}，而不是只有 curve。"
        ),
        "an array of shape {shape} and curve={curve}": "形状为 {shape} 的数组（curve={curve}）",
        "run on {where}": "输入是{where}",
        "run on {where}, with another array module as `xp`,": "输入是{where}，以另一个数组模块作为 `xp`",
        "For {where}, the kernel modifies its input.": "对于{where}，核函数修改了它的输入。",
        "it does not depend on curve.": "它与 curve 无关。",
        "The kernel's result for {where}": "核函数对{where}的结果",
        "The kernel's result for {where} and another array module": "核函数对{where}的结果（用另一个数组模块）",
        "asked for the shape of its result, for {given}": "求结果的形状，输入的形状是 {given}",
        "The operator has no shape rule, so no shapes can be inferred in a graph that contains it.": (
            "算子没有形状规则，所以含有它的计算图无法推断形状。"
        ),
        "For an input of shape {given}, the shape rule does not return the shape of the result.": (
            "对于形状为 {given} 的输入，形状规则返回的不是结果的形状。"
        ),
        "differentiated at {where}": "在{where}处求导",
        "differentiated with symbols": "用符号求导",
        "The operator has no gradient rule, so a net that contains it cannot be trained.": (
            "算子没有梯度规则，所以含有它的网络不能训练。"
        ),
        "The gradient rule does not return a list of one gradient.": "梯度规则应当返回只有一个梯度的列表。",
        "it is only the derivative. Where is `dy`, the incoming gradient?": "这只是导数。上游传来的梯度呢？",
        "it is `dy`, the incoming gradient, unchanged.": "这只是上游传来的梯度，没有变化。",
        "a term of the sum is missing.": "和里少了一项。",
        "check the derivative of the square root.": "检查一下平方根的导数。",
        "The gradient for {where}": "对{where}的梯度",
        "With symbols, the gradient rule returns a {type}, not a symbol.": (
            "用符号求导时，规则返回的不是符号，而是一个 {type}。"
        ),
        "The value of the gradient's graph": "梯度的计算图算出的值",
    }
)
