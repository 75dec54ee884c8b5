"""Chinese texts of this chapter's checks; the English sentences are the keys."""

from __future__ import annotations

from d2lhybrid.internals.support.words import add_words

add_words(
    {
        # Graphs as lists of lines.
        "... ({count} lines)": "……（{count} 行）",
        "For the graph {graph}:": "对于计算图 {graph}：",
        "the line `{name}`": "`{name}` 这一行",
        "asked for {what}": "求 {what}",
        "called for {graph}": "计算图是 {graph}",
        "this is the value of an earlier line.": "这是前面某一行的值。",
        "{where} the result is {graph}, not a list of lines.": "{where}返回的不是由行组成的列表，而是{graph}。",
        "{where} the returned graph is empty.": "{where}返回的计算图是空的。",
        "{where} {line} is nested too deeply.": "{where}{line}嵌套得太深。",
        "{where} in {line}, {op} is not an operator.": "{where}在 {line}里，{op} 不是算子。",
        "{where} in {line}, the inputs of `{op}` are {inputs}, not a list of length {count}.": (
            "{where}在 {line}里，`{op}` 的输入是 {inputs}，而不是一个有 {count} 项的列表。"
        ),
        "{where} in {line}, {one} is not an expression `[op, inputs]`.": (
            "{where}在 {line}里，{one} 不是表达式 `[op, inputs]`。"
        ),
        "{where} {line} uses `{one}`, which is neither a variable nor an earlier line.": (
            "{where}{line}用到 `{one}`，它既不是变量，也不是上面的某一行。"
        ),
        "{where} in {line}, the input {one} is neither a name nor a number.": (
            "{where}在 {line}里，有一个输入既不是名字，也不是数：{one}。"
        ),
        "{where} {line} is not a line `[name, op, inputs]`.": "{where}{line} 不是 `[name, op, inputs]` 形式的一行。",
        "{where} {name} cannot be the name of a line: Python could not assign to it.": (
            "{where}{name} 不能作为一行的名字：Python 无法给它赋值。"
        ),
        "{where} a line has the name of the variable `{name}`.": ("{where}有一行与变量 `{name}` 同名。"),
        "{where} two lines have the name `{name}`.": "{where}有两行都叫 `{name}`。",
        # 10.1
        "{what} with the number {inputs} for b": "{what}（其中 b 是数 {inputs}）",
        "{what} is a {type}, which has no `value`.": "{what} 是一个 {type}，它没有 `value`。",
        "After `Array(numbers)`, `value` is not a NumPy array.": (
            "创建 `Array(numbers)` 之后，`value` 不是 NumPy 数组。"
        ),
        "After {what}, the value of `{name}` has changed.": ("计算 {what} 之后，`{name}` 的值变了。"),
        "{what} is one of its input arrays, not a new array.": ("{what} 是输入的数组之一，而不是新的数组。"),
        "{what} is a {type}, not an `Array`.": "{what} 是一个 {type}，而不是 `Array`。",
        "The `value` of {what} is a {type}, not a NumPy array.": (
            "{what} 的 `value` 是一个 {type}，而不是 NumPy 数组。"
        ),
        "this is the element-wise product; `@` is the matrix product.": ("这是按元素的乘积；`@` 是矩阵乘积。"),
        "this is b @ a.": "这是 b @ a。",
        "negative elements become 0, not positive.": "负的元素要变成 0，而不是变成正的。",
        "negative elements become 0, and the others stay.": "负的元素变成 0，其余的保持不变。",
        "The value of {what}": "{what} 的值",
        # 10.2
        "The result for {what} is a {type}, which has no `op`, so it records nothing.": (
            "{what} 的结果是一个 {type}，它没有 `op`，所以没有做任何记录。"
        ),
        "{what} is an earlier symbol, not a new symbol.": "{what} 不是新的符号，而是先前的一个。",
        "The result for {what} is not a `Symbol`.": "{what} 的结果不是 `Symbol`。",
        "The `op` of the symbol for {what} is missing or is not a string.": (
            "对于 {what}，符号没有 `op`，或者 `op` 不是字符串。"
        ),
        "The symbol for {what} has the `op` {op!r} instead of {right!r}.": (
            "对于 {what}，符号的 `op` 是 {op!r}，应该是 {right!r}。"
        ),
        "For {what}, `inputs` is a {inputs}, not a list.": "对于 {what}，`inputs` 是一个 {inputs}，而不是列表。",
        "For {what}, a computed symbol has a `name`. Only variables have names.": (
            "对于 {what}，有一个计算出来的符号有 `name`。只有变量才有名字。"
        ),
        "For {what}, `inputs` has the length {count} instead of {right}.": (
            "对于 {what}，`inputs` 的长度是 {count}，而不是 {right}。"
        ),
        "For {what}, `inputs` contains an object that is not one of the input symbols.": (
            "对于 {what}，`inputs` 里有一项不是输入的符号本身。"
        ),
        "For {what}, one of the `inputs` is a number instead of a symbol.": (
            "对于 {what}，`inputs` 里有一项是数，而不是符号。"
        ),
        "For {what}, the number {right} is not in `inputs`.": "对于 {what}，数 {right} 不在 `inputs` 里。",
        "For {what}, another symbol is in the position of `{name}`: perhaps a copy, or an input in the wrong order.": (
            "对于 {what}，在 `{name}` 的位置上是另一个符号：可能是副本，也可能是顺序不对。"
        ),
        'The symbol of `Symbol("{name}")`': '`Symbol("{name}")` 创建的符号',
        " (for {what})": "（计算 {what} 之后）",
        "{made} has no attribute `{missing}`.": "{made}没有属性 `{missing}`。",
        "{made} does not have the `name` {name!r}.": "{made}的 `name` 不是 {name!r}。",
        "{made} has an `op`{after}, although it is a variable: an operator must create a new symbol.": (
            "{made}是变量，却有 `op`{after}：算子应当创建新的符号。"
        ),
        "{made} has `inputs` that are not an empty list{after}.": "{made}的 `inputs` 不是空列表{after}。",
        # 10.3
        "For a function that computes {graph}:": "对于计算 {graph} 的函数：",
        "called for a function that computes {graph}": "函数计算的是 {graph}",
        "{where} the function was not called. How can `trace` record what the function computes?": (
            "{where}没有调用这个函数。不调用，`trace` 怎么记录它的计算？"
        ),
        "{where} the function was called {count} times. One call is enough.": (
            "{where}调用了这个函数 {count} 次。调用一次就够了。"
        ),
        "{where} the function was not called with `*symbols`.": ("{where}调用这个函数时，传入的不是 `*symbols`。"),
        "{where} the result contains a tuple. Lines and inputs are lists.": (
            "{where}返回值里有元组。行和输入都应该是列表。"
        ),
        "{where} the graph has {count} lines, but {lines} lines are enough. {advice}": (
            "{where}计算图有 {count} 行，而 {lines} 行就够了。{advice}"
        ),
        "A symbol that is used several times needs only one line.": "一个符号即使用到多次，也只需要一行。",
        "Symbols that the result does not need require no line.": "结果用不到的符号不需要对应的行。",
        "the result is not in the last line.": "结果不在最后一行。",
        "{where} the result of the graph": "{where}计算图的结果",
        # 10.4
        "{where} the function has changed its argument.": "{where}函数修改了传入的计算图。",
        "{where} the result contains a tuple. Lines and expressions are lists.": (
            "{where}返回值里有元组。行和表达式都应该是列表。"
        ),
        "{where} the result of the new graph": "{where}新的计算图的结果",
        "{where} the new graph computes a value twice: it has {operators} operators instead of {right}.": (
            "{where}新的计算图有值算了两遍：它有 {operators} 个算子，应该是 {right} 个。"
        ),
        "{where} the new graph has {count} lines: {said}.": "{where}新的计算图有 {count} 行：{said}。",
        "`{left}` could move into the only line that uses it": "`{left}` 还可以移进唯一用到它的那一行",
        "more lines could move into the lines that use them": "还有行可以移进用到它们的行",
        "{where} a matrix product, which is not element-wise, has moved into another line.": (
            "{where}有一个矩阵乘积移进了另一行，但它不是按元素计算的。"
        ),
        "{where} an expression has moved into a matrix product, which needs whole arrays.": (
            "{where}有一个表达式移进了矩阵乘积，而矩阵乘积需要整个数组。"
        ),
        # 10.5
        "asked for a program of {text}": "求 {text} 的程序",
        "For the graph {text} and the variables {names}:": "对于计算图 {text}（变量是 {names}）：",
        "{where} the function returns an object of type {type}, not a string.": (
            "{where}返回的不是字符串，而是一个 {type}。"
        ),
        "{where} the text does not define a function `program`. It defines {there}.": (
            "{where}这段代码没有定义函数 `program`。它定义的是：{there}。"
        ),
        "the parameters of your program are not in the order of the variables.": "你的程序的形参顺序与变量的顺序不同。",
        "a nested expression needs parentheses: `a + b * c` is `a + (b * c)`.": (
            "表达式里的表达式需要括号：`a + b * c` 就是 `a + (b * c)`。"
        ),
        "{where} the program returns nothing.": "{where}程序什么也没有返回。",
        "{where} the program writes to its arguments.": "{where}程序修改了传给它的数组。",
        "{where} the result of the program": "{where}程序的结果",
        "{where} the program computes values more than once: NumPy was called {count} times.": (
            "{where}程序有值算了不止一次：NumPy 调用了 {count} 次。"
        ),
        # 10.6
        "the first call": "第一次调用",
        "a call with the same shapes and other numbers": "形状相同、数值不同的一次调用",
        "a call with more rows": "行数更多的一次调用",
        "a call with another shape of the second array": "第二个数组形状不同的一次调用",
        "a call with the shapes of the first call": "形状与第一次调用相同的一次调用",
        "a call with another type": "类型不同的一次调用",
        "a call with another type of the second array": "第二个数组类型不同的一次调用",
        "a call with the two arrays in the other order": "两个数组顺序颠倒的一次调用",
        "a call with one array": "只传入一个数组的一次调用",
        "a call with another number of axes": "轴数不同的一次调用",
        "a call with the same number of elements in another shape": "元素个数相同、形状不同的一次调用",
        "a call with the sizes split differently": "各轴的大小相同、但在两个数组之间分法不同的一次调用",
        "a call of another function": "调用另一个函数",
        "a call of the other function with more rows": "再次调用那个函数，但行数更多",
        "the first function again": "再次调用第一个函数",
        "a single number": "只传入一个数的一次调用",
        "the other function again": "再次调用那个函数",
        "a repeated call with one array": "再次只传入一个数组，形状和类型都出现过",
        "a call with another type of the same size": "类型不同、元素大小相同的一次调用",
        "a call with three arrays": "传入三个数组的一次调用",
        "a call with another shape of the middle array": "再次传入三个数组，但中间那个的形状不同",
        "a repeated call with three arrays": "再次传入三个数组，形状和类型都出现过",
        "a call with another type of the middle array": "再次传入三个数组，但中间那个的类型不同",
        "called with a function and a compiler": "用一个函数和一个编译器来调用",
        "The result does not have the required form.": "返回值的形式不对。",
        "In {words} ({shapes}),": "{words}（{shapes}）：",
        "{where} the function itself was called. A program must run instead.": (
            "{where}调用的是函数本身。应该改为运行一个程序。"
        ),
        "{where} the compiler was not called, although there is no program for these arrays.": (
            "{where}没有调用编译器，而这时还没有适合这些数组的程序。"
        ),
        "{where} the compiler was called again, although it had just compiled a program for these arrays.": (
            "{where}编译器刚刚编译好这个程序，又重复编译了一次。"
        ),
        "{where} the compiler was called again: an earlier program was not kept.": (
            "{where}又调用了编译器：先前编译的程序没有保存下来。"
        ),
        "{where} the compiler was called {count} times, not once.": "{where}调用了编译器 {count} 次，应该只调用一次。",
        "{where} the program that ran was compiled for other shapes or types.": (
            "{where}运行的程序是为别的形状或类型编译的。"
        ),
        "{where} the arrays that the compiler received are not the arrays of the call.": (
            "{where}传给编译器的数组与这次调用的不同。"
        ),
        "{where} the result is not the program's result, but a {type}.": (
            "{where}返回的不是程序的结果，而是一个 {type}。"
        ),
        "{where} the result is not the program's result for these arrays.": ("{where}返回的不是程序对这些数组的结果。"),
    }
)
