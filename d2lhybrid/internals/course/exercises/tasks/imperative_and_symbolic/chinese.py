"""Chinese texts of this chapter's checks; the English sentences are the keys."""

from __future__ import annotations

from d2lhybrid.internals.support.words import add_words

add_words(
    {
        # 01.1
        "For {numbers}, the function returns": "对于 {numbers}，函数返回的",
        "{given} a number: the function computes the sum instead of describing it.": (
            "{given}是一个数：函数做了计算，而不是描述。"
        ),
        "{given} an object that is not a string.": "{given}不是字符串。",
        "{given} a text that is not a Python program: {text!r}.": "{given}文本不是 Python 程序：{text!r}。",
        "{given} a program that prints nothing.": "{given}程序什么也不打印。",
        "{given} a program that calls a function for the additions.": "{given}程序用函数来做加法。",
        "{given} a program with more than one `print`.": "{given}程序不止一个 `print`。",
        "{given} a program that prints {count} values, not one sum.": "{given}程序打印 {count} 个值，而不是一个和。",
        "{given} a program that contains more than numbers and `+`.": "{given}程序里除了数和 `+`，还有别的内容。",
        "{given} a program with {additions} additions, which is not enough for {count} numbers.": (
            "{given}程序里有 {additions} 次加法，不够把 {count} 个数加起来。"
        ),
        "{given} a program that adds the wrong numbers.": "{given}程序加的是别的数。",
        # 01.2
        "For `{expression}`": "对于 `{expression}`，",
        "The result contains syntax that the expression does not have: {name}.": (
            "结果里有原来的表达式中没有的语法：{name}。"
        ),
        "{given}, the function returns a {name}, not a string.": "{given}函数返回的不是字符串，而是一个 {name}。",
        "{given}, the result is not an expression: {text!r}.": "{given}结果不是表达式：{text!r}。",
        "{given} and {variables}, the result does not have the value of the expression.": (
            "{given}当 {variables} 时，结果的值与原来的表达式不同。"
        ),
        "{given}, the result still contains a computation without variables: `{left}`.": (
            "{given}结果里还有不含变量的计算：`{left}`。"
        ),
        # 01.3
        "in which style does `left` have a value in the line after `left = a + b`?": (
            "运行到 `left = a + b` 的下一行时，哪种方式的 `left` 已经有值？"
        ),
        "in which style is it known, while the line runs, that no later line needs the value?": (
            "这一行运行时，哪种方式能知道后面不再需要这个值？"
        ),
        "to choose a branch, Python needs the value of `x` when it reaches the line.": (
            "要选择分支，Python 运行到这一行时 `x` 必须已经有值。"
        ),
        "which style has a description that another program can store and run?": (
            "哪种方式的描述可以保存下来，由另一个程序运行？"
        ),
        "to fuse two steps, both must be known before the first one runs.": (
            "要把两步融合成一步，在第一步运行之前就必须知道这两步。"
        ),
        "describing raises no error. When does the description run, and where does the error point then?": (
            "描述时不会报错。描述什么时候才运行？那时，错误指向哪里？"
        ),
        # 01.4
        "called with two symbols": "用两个符号调用",
        "Called with two symbols, the function returns a {type}, not a symbol.": (
            "用两个符号调用时，函数返回的不是符号，而是一个 {type}。"
        ),
        "The result does not depend on {missing}.": "结果与 {missing} 无关。",
        "The variables of the result are {variables}, not only the two symbols.": (
            "结果的变量是 {variables}，不只是这两个符号。"
        ),
        "it has a number for each column, not for each row.": "这是每列一个数，而不是每行一个数。",
        "it is one number for all rows together.": "这是所有行总共一个数。",
        "these are squares of distances.": "这些是距离的平方。",
        "The result for two arrays of shape {shape}": "输入两个形状为 {shape} 的数组时，返回的结果",
        "The result is right, but uses {count} operators: {operators}.": (
            "结果正确，但用了 {count} 个算子：{operators}。"
        ),
    }
)
