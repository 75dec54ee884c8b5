"""Errors that a trace raises because a Symbol is not an array."""

from __future__ import annotations

from .trap import Trap, block

__all__ = ["TRAPS"]

_VALUES = "While a block is traced, x is a Symbol: it stands for a computation that has not run. It has no values."

TRAPS = [
    Trap(
        "H01", "a-value-is-read", "A value is read while the block is traced",
        "`asnumpy()`, `asscalar()`, `item()`, `tolist()`, `float(x)` and `int(x)` work on an array. In a hybridized "
        "block they raise an error.",
        _VALUES + " A number that Python got out of it would also be frozen into the graph for all later calls.",
        "Stay in operators of `F`: they take Symbols and give Symbols. What really needs the number belongs outside "
        "of the block.",
        block("return x / float(x.asnumpy().max())"),
        block("return F.broadcast_div(x, F.max(x))"),
        "NotImplementedForSymbol: Function asnumpy is not implemented for Symbol and only available in NDArray.",
        rows=("number", "asnumpy", "asscalar", "item", "tolist", "wait_to_read"),
    ),
    Trap(
        "H02", "a-branch-on-values", "Python branches on values",
        "`if x.sum() > 0:`, `while`, `and`, `or`, `not` and `bool(x)` ask a Symbol whether it is true.",
        _VALUES + " Python has to decide now, but the answer is known only when data arrives, and may be another one "
        "at each call.",
        "Put the decision into the graph: `F.where(condition, x, y)` chooses element by element, `F.contrib.cond` "
        "chooses between two computations, `F.contrib.while_loop` repeats one.",
        block("if x.sum() > 0:\n    return x\nreturn -x"),
        block("return F.contrib.cond(x.sum() > 0, lambda: x, lambda: -x)"),
        'NotImplementedForSymbol: Function __bool__ (namely operator "bool") is not implemented for Symbol and only '
        "available in NDArray.",
        rows=("bool",),
    ),
    Trap(
        "H03", "shape-of-a-symbol", "The shape of a Symbol is read",
        "`x.shape`, `x.size` and `x.ndim` are attributes of arrays. A Symbol has none of them.",
        "One graph serves inputs of many shapes, so the shape is not known while the block is traced. It is found "
        "for each compiled program, after the trace.",
        "Say what you want relative to the shape: in `F.reshape`, 0 keeps a size and -1 is computed; there are "
        "`F.reshape_like`, `F.slice_like`, `F.broadcast_like`, `F.ones_like`; `F.mean` instead of a sum divided by a "
        "size. A size that never changes can be passed to the constructor.",
        block("return x.reshape((x.shape[0], -1))"),
        block("return x.reshape((0, -1))"),
        "AttributeError: 'Symbol' object has no attribute 'shape'",
        rows=("shape", "size", "ndim", "reshape"),
    ),
    Trap(
        "H04", "dtype-of-a-symbol", "The element type of a Symbol is read",
        "`x.dtype` is an attribute of arrays. A Symbol has none.",
        "As with shapes, the graph is made before any data is there, and serves several element types.",
        "Pass what depends on the element type to the constructor of the block. `net.cast(dtype)` converts the "
        "parameters.",
        block("return x if x.dtype == \"float16\" else x * 2"),
        'class Net(nn.HybridBlock):\n    def __init__(self, dtype):\n        super().__init__()\n        '
        'self.dtype = dtype\n\n    def hybrid_forward(self, F, x):\n        return x if self.dtype == "float16" else '
        'x * 2\n\n\nnet = Net("float32")\nnet.hybridize()\nnet(x)',
        "AttributeError: 'Symbol' object has no attribute 'dtype'",
        rows=("dtype",),
    ),
    Trap(
        "H05", "device-of-a-symbol", "The device of a Symbol is asked for, or set",
        "`x.context`, `x.ctx`, `x.as_in_context(...)` and `x.copyto(...)` are for arrays.",
        "A Symbol lives on no device. The whole block runs where its input is.",
        "Move the input before the call. Inside, make arrays with operators that follow the input: `F.ones_like(x)`, "
        "`F.zeros_like(x)`.",
        block("return x + F.ones((2, 3), ctx=x.context)"),
        block("return x + F.ones_like(x)"),
        "AttributeError: 'Symbol' object has no attribute 'context'",
        rows=("context", "ctx", "as_in_context", "as_in_ctx", "copyto"),
    ),
    Trap(
        "H06", "indexing", "A Symbol is indexed like an array",
        "`x[:, 1:2]`, `x[0, 0]`, `x[1]`, `x[-1]` and `x[None]` raise an error. (`x[0]` raises none, which is worse: "
        "see [H58](H58-silent-indexing.md).)",
        "Square brackets pick one of the *outputs* of a legacy Symbol, not elements. Symbols of `F.np` take integers "
        "and slices, and nothing else.",
        "Use operators: `F.slice_axis`, `F.slice`, `F.take`, `F.pick`, `F.reshape`; `F.expand_dims` for a new axis.",
        block("return x[:, 1:2]"),
        block("return F.slice_axis(x, axis=1, begin=1, end=2)"),
        "TypeError: Symbol only support integer index to fetch i-th output",
        rows=("[]", "[-1]", "['name']"),
    ),
    Trap(
        "H07", "assigning-to-elements", "Elements of a Symbol are assigned",
        "`x[0] = 2` and `x[:] = y` raise an error.",
        "A graph describes values that are computed from one another. Nothing in it changes afterwards; this is also "
        "what allows the compiler to merge and to reorder.",
        "Compute a new value: `x = x + x`. To change some of the elements, choose between old and new ones with "
        "`F.where(mask, value, x)`.",
        block("x[:] = x + x\nreturn x"),
        block("x = x + x\nreturn x"),
        "TypeError: 'Symbol' object does not support item assignment",
        rows=("[]=",),
    ),
    Trap(
        "H08", "in-place-operators", "An operator works in place",
        "`x += 1`, `x -= 1`, `x *= 2` and `x /= 2` change an array. On a Symbol they raise an error.",
        "Nothing in a graph changes. The error is a `NotImplementedForSymbol`, which is a `RuntimeError` and not, as "
        "one of the lessons says, a `NotImplementedError`.",
        "Write `x = x + 1` instead of `x += 1`. The compiled program works in place by itself where that is safe.",
        block("x += 1\nreturn x"),
        block("x = x + 1\nreturn x"),
        'NotImplementedForSymbol: Function __iadd__ (namely operator "+=") with arguments',
        rows=("__iadd__", "__isub__", "__imul__", "__itruediv__", "__idiv__"),
    ),
    Trap(
        "H09", "operators-without-a-symbol", "An operator of Python that Symbols have not",
        "`x // 2` and `x @ y` work on arrays of one kind or the other, and not on Symbols.",
        "MXNet's Symbols define the operators `+ - * / % **` and comparisons, and no more.",
        "Write the function: `F.floor(x / y)`, `F.dot(x, y)`, `F.batch_dot(x, y)`.",
        block("return x // 2"),
        block("return F.floor(x / 2)"),
        "TypeError: unsupported operand type(s) for //: 'Symbol' and 'int'",
        rows=("//", "@"),
    ),
    Trap(
        "H10", "methods-of-arrays", "A method or an attribute that only arrays have",
        "`x.T`, `x.copy()`, `x.detach()` and `x.stype` raise an error in a hybridized block.",
        "A Symbol has no memory that could be shared, copied or detached: it has methods for operators only.",
        "There is an operator for each: `F.transpose(x)`, `F.identity(x)`, `F.BlockGrad(x)`.",
        block("return x.T"),
        block("return F.transpose(x)"),
        "AttributeError: 'Symbol' object has no attribute 'T'",
        rows=("T", "copy", "detach", "stype"),
    ),
    Trap(
        "H11", "gradients-inside", "Gradients are asked for inside of the block",
        "`x.attach_grad()`, `x.grad` and `y.backward()` inside `hybrid_forward` raise an error.",
        "Gradients belong to arrays and to a recorded call. While the block is traced there is neither. The compiler "
        "makes the backward program from the finished graph.",
        "Do all three outside: attach the gradient to the input, record the call, and go backward from its result.",
        block("x.attach_grad()\nreturn x * x"),
        block(
            "return x * x",
            call="x.attach_grad()\nwith autograd.record():\n    y = net(x)\ny.backward()\nprint(x.grad)",
        ),
        "AttributeError: 'Symbol' object has no attribute 'attach_grad'",
        rows=("attach_grad", "grad", "backward"),
    ),
    Trap(
        "H12", "no-broadcasting", "`+` of Symbols does not broadcast",
        "`x + y` with shapes (2, 3) and (1, 3) works on arrays, and fails with Symbols when shapes are inferred.",
        "With legacy Symbols, `+` is the operator `elemwise_add`, which wants equal shapes. `x + 1` is no trap: "
        "numbers have operators of their own.",
        "Write `F.broadcast_add(x, y)`, `F.broadcast_sub`, `F.broadcast_mul`, `F.broadcast_div`, "
        "`F.broadcast_greater` ... They do the same for arrays.",
        block("return x + F.ones((1, 3))"),
        block("return F.broadcast_add(x, F.ones((1, 3)))"),
        "MXNetError: Error in operator net0__plus0:",
        rows=("broadcasting",),
    ),
    Trap(
        "H13", "an-array-in-the-graph", "An array takes part in a graph",
        "An array from outside (`offsets = nd.array(...)`) is added to a Symbol, or given to an operator of `F`.",
        "A graph is made of Symbols. An array in it would be a constant without a name, which could not be saved, "
        "moved to another device, or differentiated.",
        "Make it a `gluon.Constant` of the block if it is fixed, a `Parameter` if it is learned, an input if it "
        "changes, and use `F.ones`, `F.full` or `F.arange` if it can be computed.",
        "offsets = nd.array([10, 20, 30])\n\n" + block("return F.broadcast_add(x, offsets)"),
        block(
            "return F.broadcast_add(x, offsets)", arguments="x, offsets",
            init='self.offsets = self.params.get_constant("offsets", [10, 20, 30])',
        ),
        "AssertionError: Argument rhs must be Symbol instances, but got",
        rows=("array",),
        patterns=(r"must be Symbol instances, but got \n?\[",),
    ),
    Trap(
        "H14", "a-function-of-arrays", "A function of arrays is called on a Symbol",
        "`nd.relu(x)`, `np.exp(x)` or NumPy's own `numpy.exp(x)` inside `hybrid_forward`.",
        "`nd` is for arrays, whatever x is. `F` is `nd` when the block runs line by line, and `sym` while it is "
        "traced: that is why it is an argument.",
        "Call the function of `F`.",
        block("return nd.relu(x)"),
        block("return F.relu(x)"),
        "AssertionError: Argument data must have NDArray type, but got",
        rows=("function of arrays",),
        patterns=(
            r"must have NDArray type, but got <_?Symbol",
            r"HybridBlock output must be .* of type <class 'numpy\.ndarray'>",
            r"^TypeError: loop of ufunc does not support argument 0 of type _?Symbol",
        ),
    ),
    Trap(
        "H15", "functions-only-of-arrays", "A function that `nd` has and `sym` has not",
        "`F.array(...)`, `F.concatenate(...)`, `F.empty(...)`, `F.add(x, y)` work line by line, and are not there "
        "while the block is traced.",
        "These make arrays from Python's values, or are conveniences of `nd` only. `F` has what both sides have.",
        "Use the operator behind it: `F.concat(*arrays, dim=axis)`, `F.zeros`, `F.full`, `F.broadcast_add`; a "
        "`gluon.Constant` for values that you have as a list.",
        block("return F.concatenate([x, x], axis=1)"),
        block("return F.concat(x, x, dim=1)"),
        "AttributeError: module 'd2lhybrid.symbol' has no attribute 'concatenate'",
        rows=("F.array", "only of arrays"),
    ),
    Trap(
        "H16", "unknown-names", "An operator that is not there",
        "`F.rellu(x)` or `x.rellu()`: the name is mistyped, or belongs to the other dialect.",
        "Operators of legacy arrays are in `F`; those with the interface of NumPy are in `F.np`, and their "
        "neighbours, the layers, in `F.npx`.",
        "The error suggests the nearest name. `dir(F)` lists all.",
        block("return F.rellu(x)"),
        block("return F.relu(x)"),
        "AttributeError: module 'd2lhybrid.symbol' has no attribute 'rellu'",
        patterns=(
            r"^AttributeError: module 'd2lhybrid\.\S*' has no attribute",
            r"^AttributeError: '_?Symbol' object has no attribute",
        ),
    ),
    Trap(
        "H17", "not-an-operand", "An operand is neither a Symbol nor a number",
        "`x + None`, `x + 'a'` or `F.relu(5)`.",
        "A graph is made of Symbols; numbers are taken up into operators such as `_plus_scalar`. Everything else has "
        "no place in it.",
        "Look where the value comes from: often it is an argument that was left out. `F.full(shape, value)` makes a "
        "Symbol of a number.",
        block("return F.broadcast_add(x, F.relu(5))"),
        block("return F.broadcast_add(x, F.relu(F.full((1,), 5)))"),
        "AssertionError: Argument data must be Symbol instances, but got 5",
        rows=("operand", "not a symbol"),
    ),
    Trap(
        "H18", "what-is-returned", "`hybrid_forward` returns something else than Symbols",
        "It returns a number, a dictionary, or nothing.",
        "What is returned is the output of the graph, and the outputs of a graph are a list of Symbols.",
        "Return a Symbol, or a list or tuple of them, nested if you like. If it returned None, its `return` is "
        "missing, perhaps on one of its ways.",
        block('return {"doubled": x * 2}'),
        block("doubled = x * 2\nreturn doubled"),
        "ValueError: When hybridized, the input of HybridBlock output must be (nested) list of Symbol or NDArray, but "
        "got",
        rows=("output", "no output"),
    ),
    Trap(
        "H19", "loops-over-rows", "Python loops over the rows of a Symbol, or counts them",
        "`for row in x` and `len(x)` raise an error with Symbols of `F.np`. (With legacy Symbols nothing is raised: "
        "see [H58](H58-silent-indexing.md).)",
        "How many rows there are is known only when data arrives.",
        "`F.np.split(x, n)` gives a fixed number of parts; `F.contrib.foreach` runs a computation over all rows, "
        "however many there are. A number that never changes can be passed to the constructor.",
        "npx.set_np()\nx = np.array([[1, 2, 3], [4, 5, 6]])\n\n"
        + block("return F.np.stack([row * 2 for row in x])"),
        "npx.set_np()\nx = np.array([[1, 2, 3], [4, 5, 6]])\n\n"
        + block("return F.np.concatenate([part * 2 for part in F.np.split(x, 2)])"),
        "TypeError: ",
        rows=("iter", "len"),
    ),
]  # fmt: skip
