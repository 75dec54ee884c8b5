"""Chinese texts of this chapter's checks; the English sentences are the keys."""

from __future__ import annotations

from d2lhybrid.internals.support.words import add_words

add_words(
    {
        # 09.1
        "the trace also runs the function, including the line that appends.": (
            "追踪也会运行函数，包括追加元素的那一行。"
        ),
        "Python runs the function only during the trace. How many traces do two equal calls need?": (
            "Python 只在追踪时运行函数。两次相同的调用需要几次追踪？"
        ),
        "the trace also runs the function, including the print.": "追踪也会运行函数，包括 print。",
        "the second call runs the compiled program. Is there a print in it?": (
            "第二次调用运行的是编译后的程序。里面有 print 吗？"
        ),
        "the stand-in has a type. Can a program for floats compute integers?": (
            "替身是有类型的。用于浮点数的程序能用于整数吗？"
        ),
        "call 3 has the types of call 1. Is the program of call 1 gone?": (
            "第 3 次调用的类型与第 1 次相同。第 1 次调用的程序不在了吗？"
        ),
        "count the calls with new types.": "数一数有几次调用的类型是从未见过的。",
        "Dynamo changes Python's objects after each call as the function would have changed them.": (
            "每次调用之后，Dynamo 都会修改 Python 的对象，就像运行了这个函数一样。"
        ),
        "a symbol has no type. New types need another program, but do they need another trace?": (
            "符号没有类型。换一种类型，就需要另一个程序，但需要重新追踪吗？"
        ),
        "Dynamo leaves the print to Python, in each call.": "每次调用时，Dynamo 都把 print 留给 Python。",
        # 09.2
        "arrays of shapes {a} and {b}": "形状为 {a} 和 {b} 的数组",
        "arrays of types {a} and {b}": "类型为 {a} 和 {b} 的数组",
        "calls with `training={a}` and `training={b}`": "`training={a}` 和 `training={b}` 的调用",
        "{framework}: {calls} have the same key. A stand-in with a shape is right for that shape only.": (
            "{framework}：{calls}得到了相同的键。有形状的替身只适用于那个形状。"
        ),
        "{framework}: {calls} have the same key. A stand-in with a type is right for that type only.": (
            "{framework}：{calls}得到了相同的键。有类型的替身只适用于那个类型。"
        ),
        "{framework}: {calls} have the same key. Python chooses the branch, and a trace contains only one.": (
            "{framework}：{calls}得到了相同的键。函数在 Python 里做判断，追踪的结果里只有一个分支。"
        ),
        "{framework}: {calls} have different keys. A symbol has no shape.": (
            "{framework}：{calls}得到了不同的键。符号没有形状。"
        ),
        "{framework}: {calls} have different keys. A symbol has no type.": (
            "{framework}：{calls}得到了不同的键。符号没有类型。"
        ),
        "{framework}: {calls} have different keys. The flag is an attribute, which is only read in the trace.": (
            "{framework}：{calls}得到了不同的键。这个标志是一个属性，只在追踪时读取。"
        ),
        "{framework}: arrays that differ only in their values have different keys. A stand-in has no values.": (
            "{framework}：只有数值不同的数组，键却不同。替身没有数值。"
        ),
        # 09.3
        "called with `trace` and `read`": "调用时传入的是 `trace` 和 `read`",
        "The result does not have the required form.": "返回值的形式不对。",
        "In {words},": "{words}：",
        "the first call": "第一次调用",
        "a call in which nothing has changed": "什么都没有变的一次调用",
        "a call after `scale` has changed": "`scale` 改变之后的调用",
        "a second call in which nothing has changed": "此后什么都没有变的一次调用",
        "a call after `mode` has changed": "`mode` 改变之后的调用",
        "a call with the values of the first one": "值与第一次调用相同的一次调用",
        "a call after `scale` and `bias` were swapped": "`scale` 和 `bias` 互换之后的调用",
        "a call after `scale` has become an int": "`scale` 变成 int 之后的调用",
        "a call with the values of an earlier program": "值与更早追踪的程序相同的一次调用",
        "a call after `bias` has become a bool": "`bias` 变成 bool 之后的调用",
        "a call after `bias` has become the int 1": "`bias` 变成整数 1 之后的调用",
        "a call of another function": "调用另一个函数",
        "the first function again": "再次调用第一个函数",
        "a call with the int again": "`scale` 变回那个 int 之后的调用",
        "{where} the function was traced again, although nothing that it reads has changed.": (
            "{where}重新追踪了函数，而函数读取的值都没有变。"
        ),
        "{where} the function was traced again: the program for these values was not kept.": (
            "{where}重新追踪了函数：适合这些值的程序没有保存下来。"
        ),
        "{where} the function was traced {count} times, not once.": "{where}追踪了函数 {count} 次，应该只追踪一次。",
        "{where} the program that ran was traced for other values.": "{where}运行的程序是针对别的值追踪的。",
        "{where} {count} programs ran, not one.": "{where}运行了 {count} 个程序，应该只运行一个。",
        "{where} the result is not the program's result for this `x`.": ("{where}返回的不是程序对这个 `x` 的结果。"),
        "{where} nothing was traced, and no program ran.": "{where}没有追踪，也没有运行任何程序。",
        "{where} the program that ran was traced for another type. `1 == 1.0 == True`, but their programs differ.": (
            "{where}运行的程序是针对另一种类型的值追踪的。`1 == 1.0 == True`，程序却不同。"
        ),
        "{where} a program of the first function ran.": "{where}运行的是第一个函数的程序。",
        "{where} `read` was not called: a guard must be tested before each call.": (
            "{where}没有调用 `read`：守卫要在每次调用之前检查。"
        ),
        "{where} an old program ran. Did you store the dictionary instead of a copy? A dictionary equals itself, "
        "even after it changes.": "{where}运行的是旧程序。你保存的是不是字典本身？字典里的值会变，字典却永远等于自己。",
        "{where} an old program ran: your guard ignores the value that has changed.": (
            "{where}运行的是旧程序：你的守卫没有检查发生改变的那个值。"
        ),
        "{where} no program ran, but the result depends on `x`.": "{where}没有运行任何程序，而结果取决于 `x`。",
        # 09.4
        "Traced once": "只追踪一次时",
        "traced once": "只追踪一次",
        "Traced once, with two averages at a time": "只追踪一次、同时计算两个平均值时",
        "traced once, with two averages at a time": "只追踪一次，同时计算两个平均值",
        "{how}, in call {n},": "{how}，第 {n} 次调用时，",
        "the new `total`": "新的 `total` ",
        "the new `count`": "新的 `count` ",
        "the average": "平均值",
        "it is the value of a first call. State that the function stores itself is frozen in the trace.": (
            "这是第一次调用的值。函数自己保存的状态在追踪时冻结了。"
        ),
        "it is the old value. The next call gets the returned values.": "这是旧的值。返回的值会传给下一次调用。",
        "it is the sum divided by the old count.": "这是总和除以旧的个数。",
        "the sum does not include the new number.": "总和里没有加上新的数。",
        "it is the average before this call.": "这是这次调用之前的平均值。",
        "it is the sum.": "这是总和。",
        "{where} the function returns {kind}.": "{where}函数返回的是 {kind}。",
        "After one trace, Python ran the function {n} times, not once.": (
            "追踪一次之后，Python 运行了函数 {n} 次，应该只运行一次。"
        ),
    }
)
