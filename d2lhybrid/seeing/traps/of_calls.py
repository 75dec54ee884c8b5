"""Errors of how a block is made, called, and saved."""

from __future__ import annotations

from .trap import Trap, block

__all__ = ["TRAPS"]

_LIST_OF_BLOCKS = "for layer in self.layers:\n    x = layer(x)\nreturn x"
_OPTIONAL = block("return x if y is None else x + y", arguments="x, y=None")

TRAPS = [
    Trap(
        "H20", "a-number-as-input", "A number or a text is given as an input",
        "`net(x, 3)` works line by line. Hybridized, it raises an error.",
        "Inputs are the variables of the graph, and these are arrays. A number would have to be frozen.",
        "Pass what is fixed to the constructor; make an array of what changes: `net(x, nd.array([3]))`.",
        block("return x * factor", arguments="x, factor", call="net(x, 3)"),
        block("return F.broadcast_mul(x, factor)", arguments="x, factor", call="net(x, nd.array([3]))"),
        "ValueError: When hybridized, the input of HybridBlock input must be (nested) list of Symbol or NDArray, but "
        "got 3",
        rows=("input",),
        patterns=(r"the input of HybridBlock input must be",),
    ),
    Trap(
        "H21", "other-arguments-than-traced", "A call has more or fewer arguments than the one that was traced",
        "`hybrid_forward(self, F, x, y=None)`: the first call leaves y out, a later one gives it.",
        "The graph has the inputs of the call that was traced. Whether y is given is a decision of Python's, made "
        "then and frozen.",
        "Always give it, or call `net.hybridize()` before calling in the other way: the next call traces again.",
        _OPTIONAL + "\nnet(x, x)",
        _OPTIONAL + "\nnet.hybridize()\nnet(x, x)",
        "ValueError: The argument structure of HybridBlock does not match the cached version.",
        patterns=(r"argument structure of HybridBlock does not match",),
        kinds=("arguments",),
    ),
    Trap(
        "H22", "no-array-among-the-inputs", "There is no array among the inputs",
        "`net(numpy.ones((2, 3)))` or `net([1, 2, 3])`.",
        "A block takes arrays of this package: they know their device, and can be recorded. NumPy's arrays and "
        "Python's lists do not.",
        "Convert first: `nd.array(values)`, or `np.array(values)` under NumPy semantics.",
        "net = nn.Dense(2)\nnet.initialize()\nnet.hybridize()\nnet(numpy.ones((2, 3)))",
        "net = nn.Dense(2)\nnet.initialize()\nnet.hybridize()\nx = nd.array(numpy.ones((2, 3)))\nnet(x)",
        "ValueError: In HybridBlock, there must be one NDArray or one Symbol in the input.",
        patterns=(r"In HybridBlock, there must be one NDArray or one Symbol in the input",),
    ),
    Trap(
        "H23", "not-initialized", "The parameters are not initialized",
        "The net is called before `net.initialize()`, or a parameter is read before the first call.",
        "A layer such as `nn.Dense(2)` does not know the width of its input. Its parameters get their shapes, and "
        "then their values, at the first call.",
        "Call `net.initialize()` first, and the net once before reading parameters. If you did, a block may not be "
        "registered: see [H24](H24-blocks-in-a-list.md).",
        "net = nn.Dense(2)\nnet.hybridize()\nnet(x)",
        "net = nn.Dense(2)\nnet.initialize()\nnet.hybridize()\nnet(x)",
        "RuntimeError: Parameter 'dense0_weight' has not been initialized.",
        patterns=(r"Parameter '.*' has not been initialized",),
    ),
    Trap(
        "H24", "blocks-in-a-list", "Blocks in a Python list are not registered",
        "`self.layers = [nn.Dense(2), nn.Dense(2)]`: `initialize()` does not reach the layers, and the hybridized net "
        "does not know their parameters.",
        "A block registers what is assigned to its attributes. It does not look into lists, tuples and dictionaries.",
        "Use `nn.HybridSequential`, or call `self.register_child(layer)` for each.",
        block(_LIST_OF_BLOCKS, init="self.layers = [nn.Dense(2), nn.Dense(2)]"),
        block(
            "return self.layers(x)",
            init="self.layers = nn.HybridSequential()\nself.layers.add(nn.Dense(2), nn.Dense(2))",
        ),
        "RuntimeError: Unknown input to HybridBlock: dense0_weight",
        patterns=(r"Unknown input to HybridBlock",),
        kinds=("unregistered",),
    ),
    Trap(
        "H25", "a-child-that-is-no-hybrid-block", "A child of a HybridBlock is a plain Block",
        "A `nn.HybridSequential` or another HybridBlock gets a Block as a child.",
        "The `forward` of a Block is Python code for arrays. It cannot become part of a graph.",
        "Derive it from `HybridBlock`, with `hybrid_forward(self, F, x)`. If it needs Python, use `nn.Sequential` "
        "around it: its other children are compiled all the same.",
        "class Plain(nn.Block):\n    def forward(self, x):\n        return x * 2\n\n\nnet = nn.HybridSequential()\n"
        "net.add(Plain())",
        "class Hybrid(nn.HybridBlock):\n    def hybrid_forward(self, F, x):\n        return x * 2\n\n\n"
        "net = nn.HybridSequential()\nnet.add(Hybrid())\nnet.hybridize()\nnet(x)",
        "ValueError: Children of HybridBlock must also be HybridBlock, but Plain",
        patterns=(r"Children of HybridBlock must also be HybridBlock",),
    ),
    Trap(
        "H26", "shapes-do-not-fit", "Shapes do not fit",
        "An input has another width than the first one had, or two values are combined whose shapes do not go "
        "together. The error names the operator, and the notes below it the layer and its inputs.",
        "The number of examples may change from call to call: then the graph is compiled again. The other sizes are "
        "in the shapes of the parameters.",
        "Compare the shapes in the notes. `net.summary(x)` shows them layer by layer before the net is hybridized.",
        "net = nn.Dense(2)\nnet.initialize()\nnet.hybridize()\nnet(nd.ones((2, 3)))\nnet(nd.ones((2, 4)))",
        "net = nn.Dense(2)\nnet.initialize()\nnet.hybridize()\nnet(nd.ones((2, 3)))\nx = nd.ones((5, 3))\nnet(x)",
        "MXNetError: Error in operator dense0_fwd:",
        patterns=(
            r"Shape inconsistent", r"Incompatible attr in node.*expected \[", r"shape cannot be inferred",
            r"^(?:MXNetError|ShapeError): Error in operator",
        ),
    ),
    Trap(
        "H27", "element-types-do-not-fit", "Element types do not fit",
        "A net with float32 parameters is called with float64 or with integers.",
        "Operators want one element type for all their inputs: converting silently would hide where precision is "
        "lost, and where time is.",
        "Convert the input, `x.astype('float32')`, or the net, `net.cast(\"float64\")`.",
        "net = nn.Dense(2)\nnet.initialize()\nnet.hybridize()\nnet(x)\nnet(x.astype(\"float64\"))",
        "net = nn.Dense(2)\nnet.initialize()\nnet.hybridize()\nnet(x)\nnet.cast(\"float64\")\n"
        'x = x.astype("float64")\nnet(x)',
        "MXNetError: Error in operator dense0_fwd:",
        patterns=(r"Incompatible attr in node.*expected (?:float|int|uint|bool)",),
    ),
    Trap(
        "H28", "inputs-on-two-devices", "The inputs are on two devices",
        "One input is on `cpu(0)`, the other on a GPU or on `cpu(1)`.",
        "A compiled program runs on one device, the one that its inputs are on.",
        "Move them to one device before the call: `y.as_in_context(x.context)`.",
        block("return x + y", arguments="x, y", call="net(x, x.as_in_context(mx.cpu(1)))"),
        block("return x + y", arguments="x, y",
              call="y = x.as_in_context(mx.cpu(1))\nnet(x, y.as_in_context(x.context))"),
        "ValueError: Find multiple contexts in the input",
        patterns=(r"Find multiple contexts in the input",),
    ),
    Trap(
        "H29", "parameters-on-another-device", "The parameters are on another device than the input",
        "The net was initialized on one device, and is called with an input on another one.",
        "Parameters have a copy on each device that they were initialized on, and no others.",
        "Move the input, or the net: `net.collect_params().reset_ctx(x.context)`.",
        "net = nn.Dense(2)\nnet.initialize(ctx=mx.cpu(1))\nnet.hybridize()\nnet(x)",
        "net = nn.Dense(2)\nnet.initialize(ctx=x.context)\nnet.hybridize()\nnet(x)",
        "RuntimeError: Parameter 'dense0_weight' was not initialized on context cpu(0).",
        patterns=(r"was not initialized on context",),
    ),
    Trap(
        "H30", "export-without-a-graph", "There is no graph to export yet",
        "`net.export(...)` before the hybridized net was called.",
        "`hybridize()` itself runs nothing. The graph is made by the first call.",
        "Call `net.hybridize()`, then the net once, then `net.export`.",
        'net = nn.Dense(2)\nnet.initialize()\nnet.hybridize()\nnet.export("model")',
        'net = nn.Dense(2)\nnet.initialize()\nnet.hybridize()\nnet(x)\nnet.export("model")',
        "RuntimeError: Please first call block.hybridize() and then run forward with this block at least once before "
        "calling export.",
        patterns=(r"Please first call block\.hybridize\(\)",),
    ),
    Trap(
        "H31", "two-kinds-of-arrays", "Legacy arrays and arrays of `np` are mixed",
        "A legacy operator gets an array (or a Symbol) of `np`, or the other way round.",
        "There are two dialects: `nd` and `F.relu` in the old one, `np`, `npx`, `F.np` and `F.npx` in the one of "
        "NumPy. A net is written in one of them, and `npx.set_np()` chooses it for the layers.",
        "Stay in one dialect. `x.as_np_ndarray()` and `x.as_nd_ndarray()` convert without copying.",
        "npx.set_np()\nx = np.array([[1, 2, 3], [4, 5, 6]])\n\n" + block("return F.relu(x)"),
        "npx.set_np()\nx = np.array([[1, 2, 3], [4, 5, 6]])\n\n" + block("return F.npx.relu(x)"),
        "TypeError: ",
        patterns=(
            r"^TypeError: Operator `.*` registered in backend",
        ),
    ),
    Trap(
        "H32", "no-hybrid-forward", "The block has no `hybrid_forward`",
        "A class derives from HybridBlock and does not say what it computes, or the name is mistyped.",
        "Calling a HybridBlock runs its `hybrid_forward`, either at every call or once, to trace it.",
        "Write `def hybrid_forward(self, F, x):`.",
        "class Net(nn.HybridBlock):\n    def hybrid_foward(self, F, x):\n        return x * 2\n\n\n"
        "net = Net()\nnet.hybridize()\nnet(x)",
        block("return x * 2"),
        "NotImplementedError",
        patterns=(r"^NotImplementedError(?:: )?$",),
    ),
    Trap(
        "H33", "no-super-init", "`super().__init__()` was not called",
        "A block assigns a layer or a parameter before it is a block itself.",
        "Assigning a block to an attribute registers it as a child, and the register is made by "
        "`HybridBlock.__init__`.",
        "Call `super().__init__()` at the beginning of `__init__`.",
        "class Net(nn.HybridBlock):\n    def __init__(self):\n        self.hidden = nn.Dense(2)\n\n\nnet = Net()",
        "class Net(nn.HybridBlock):\n    def __init__(self):\n        super().__init__()\n"
        "        self.hidden = nn.Dense(2)\n\n    def hybrid_forward(self, F, x):\n        return self.hidden(x)\n\n\n"
        "net = Net()\nnet.initialize()\nnet.hybridize()\nnet(x)",
        "AttributeError: 'Net' object has no attribute '_children'",
        patterns=(r"^AttributeError: '.*' object has no attribute '_(?:children|params|reg_params|prefix)'",),
    ),
    Trap(
        "H34", "static-shape-alone", "`static_shape` without `static_alloc`",
        "`net.hybridize(static_shape=True)`, and the first call raises an error.",
        "Deciding once what depends on shapes makes sense only where the memory is kept too.",
        "Write `net.hybridize(static_alloc=True, static_shape=True)`.",
        "net = nn.Dense(2)\nnet.initialize()\nnet.hybridize(static_shape=True)\nnet(x)",
        "net = nn.Dense(2)\nnet.initialize()\nnet.hybridize(static_alloc=True, static_shape=True)\nnet(x)",
        "MXNetError: Check failed: config_.static_alloc: static_alloc must be True when static_shape is True",
        patterns=(r"static_alloc must be True when static_shape is True",),
    ),
]  # fmt: skip
