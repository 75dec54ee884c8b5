"""Differences between a net run line by line and the same net hybridized that raise nothing."""

from __future__ import annotations

from .trap import Trap, block

__all__ = ["TRAPS"]

_ONCE = "`hybrid_forward` runs once, while the net is traced. Later calls run the compiled program, and no line of it."
_HOOK = (
    "def report(block, inputs, output):\n    print(type(output).__name__)\n\n\n"
    "net = nn.HybridSequential()\nnet.add(nn.Dense(2))\n"
    "{hook}net.initialize()\nnet.hybridize()\n{call}"
)

TRAPS = [
    Trap(
        "H51", "prints-vanish", "`print` prints once, and never again",
        "A `print` in `hybrid_forward` prints at every call before `hybridize()`; afterwards at the first call only, "
        "and then it prints Symbols.",
        _ONCE,
        "Print outside the net, return the value as a further output, or call `net.hybridize(False)` while you look.",
        block('print("x is", x)\nreturn x * 2'),
        block("return x * 2", call="print(net(x))"),
        kinds=("print",),
    ),
    Trap(
        "H52", "counters-freeze", "A counter, or another variable of Python's, stops counting",
        "`self.calls += 1` counts before `hybridize()`. Afterwards it counts to one, and its value in the graph stays "
        "what it was then.",
        _ONCE + " Only operators of `F` are in the graph; `+= 1` on a Python number is none.",
        "Change it outside the net and pass it as an input. A state of the net belongs in a Parameter with "
        '`grad_req="null"`.',
        block("self.calls += 1\nreturn x + self.calls", init="self.calls = 0"),
        block("return F.broadcast_add(x, calls)", arguments="x, calls",
              call="calls = nd.array([0])\nfor _ in range(3):\n    calls = calls + 1\n    net(x, calls)"),
        kinds=("counter",),
    ),
    Trap(
        "H53", "attributes-freeze", "An attribute keeps the value that it had while tracing",
        "`net.factor = 10` after the first hybridized call changes nothing.",
        _ONCE + " `self.factor` was read then, and its value became a constant of the graph.",
        "Call `net.hybridize()` again after changing it, or make it an input, a Parameter or a Constant.",
        block("return x * self.factor", init="self.factor = 2", call="net(x)\nnet.factor = 10\nnet(x)"),
        block("return F.broadcast_mul(x, factor)", arguments="x, factor",
              call="net(x, nd.array([2]))\nnet(x, nd.array([10]))"),
        kinds=("attribute",),
    ),
    Trap(
        "H54", "branches-freeze", "A branch is decided once",
        "`if autograd.is_training():`, or any other `if` on something of Python's, goes one way while the net is "
        "traced, and in the graph it goes that way for ever.",
        _ONCE + " The graph has the operators of the way that was taken.",
        "Operators that know the mode (`F.Dropout`, `F.BatchNorm`) are not frozen. `F.where` and `F.contrib.cond` "
        "decide by values at every call. What is fixed belongs in the constructor.",
        block("if autograd.is_training():\n    x = x * 2\nreturn x"),
        block("return F.Dropout(x, p=0.5)"),
        kinds=("branch",),
    ),
    Trap(
        "H55", "loops-are-unrolled", "A loop is unrolled",
        "A loop of Python's runs while the net is traced. The graph has its body as often as it ran then.",
        _ONCE + " A thousand rounds are a thousand times the operators, and a changed number of rounds is not seen.",
        "`F.contrib.foreach` and `F.contrib.while_loop` are loops in the graph. A fixed small number of layers is no "
        "trap.",
        block("for _ in range(self.times):\n    x = F.tanh(x)\nreturn x", init="self.times = 3"),
        block(
            "def step(row, state):\n    return F.tanh(row), state\n\nrows, _ = F.contrib.foreach(step, x, [])\n"
            "return rows"
        ),
        kinds=("loop",),
    ),
    Trap(
        "H56", "random-numbers-freeze", "Random numbers of Python's or NumPy's are drawn once",
        "`random.random()` or `numpy.random.rand()` in `hybrid_forward` gives the same number at every call.",
        _ONCE + " The number that was drawn then is a constant of the graph.",
        "Draw in the graph: `F.random.uniform`, `F.random.normal` and `F.Dropout` draw anew at every call.",
        block("return x + random.random()"),
        block("return F.broadcast_add(x, F.random.uniform(shape=(1,)))"),
        kinds=("random",),
    ),
    Trap(
        "H57", "clocks-stop", "A clock stops",
        "`time.time()` in `hybrid_forward` gives the time of the trace at every call.",
        _ONCE + " What the clock said then is a constant of the graph.",
        "Read the clock outside the net, and pass what depends on it as an input.",
        block("return x + time.perf_counter()"),
        block("return F.broadcast_add(x, now)", arguments="x, now", call="net(x, nd.array([time.perf_counter()]))"),
        kinds=("time",),
    ),
    Trap(
        "H58", "silent-indexing", "`x[0]`, `x[0:1]`, `for v in x` and `len(x)` mean something else",
        "With arrays they are about rows. With a legacy Symbol they are about its outputs: `x[0]` is the whole x, the "
        "loop runs once, and `len(x)` is 1. Nothing is raised, and the numbers are wrong.",
        "A Symbol can have several outputs, as the result of `F.split` has. Square brackets, loops and `len` were "
        "given to these.",
        "Use operators for rows: `F.slice_axis`, `F.take`, `F.split(..., squeeze_axis=True)`, `F.contrib.foreach`. "
        "`d2lhybrid.config(warn_silent_differences=True)` warns.",
        block("return x[0]"),
        block("return F.reshape(F.slice_axis(x, axis=0, begin=0, end=1), shape=(-1,))"),
        kinds=("silent",),
    ),
    Trap(
        "H59", "hooks-are-not-called", "Hooks on layers inside are not called",
        "A forward hook on a child is called line by line and at the trace, and then never.",
        "A compiled program calls no blocks: the layers are operators of one graph. A hook on the net itself is "
        "called.",
        "Call `net.hybridize(False)` while you need the hook, or return the value as a further output.",
        _HOOK.format(hook="net[0].register_forward_hook(report)\n", call="net(x)"),
        _HOOK.format(hook="", call='report(net, x, net(x))'),
        kinds=("hook",),
    ),
    Trap(
        "H60", "batch-size-in-a-reshape", "The batch size is a constant in a reshape",
        "`F.reshape(x, (2, -1))` fits the inputs that it was tried with. With another number of examples it fails, or "
        "mixes values of different examples.",
        "The number stands in the graph, and one graph serves all batch sizes.",
        "Write `F.reshape(x, (0, -1))`: 0 keeps the size that the data has.",
        block("return F.reshape(x, (2, -1))"),
        block("return F.reshape(x, (0, -1))"),
        kinds=("batch size",),
    ),
    Trap(
        "H61", "unused-inputs", "An input or a parameter is not used",
        "A warning says that an input or a parameter is not used by any computation.",
        "What does not lead to an output is no part of the graph. Such a parameter has no gradient, and is not "
        "exported.",
        "Remove it, or use it: perhaps a name is mistyped.",
        block("return x * 2", arguments="x, y", call="net(x, x)"),
        block("return x * 2"),
        kinds=("unused",),
    ),
    Trap(
        "H62", "python-that-is-not-compiled", "A part of the net stays Python",
        "A Block among HybridBlocks, or a HybridBlock that overrides `forward`, runs line by line at every call, "
        "hybridized or not.",
        "`hybridize()` compiles what is written in `hybrid_forward`. A `forward` of your own is not looked at.",
        "Derive from HybridBlock and write `hybrid_forward(self, F, x)`.",
        "class Net(nn.HybridBlock):\n    def forward(self, x):\n        return x * 2\n\n\n"
        "net = Net()\nnet.hybridize()\nnet(x)",
        block("return x * 2"),
        kinds=("not compiled",),
    ),
    Trap(
        "H63", "tuples-become-lists", "Tuples of outputs come back as lists",
        "A net that returns a tuple returns a list after `hybridize()`.",
        "A graph has a flat list of outputs; what comes back is nested again as it was, but with lists.",
        "Do not ask for a tuple: unpack the result, or index it.",
        block("return x, x * 2", call="a, b = net(x)"),
        block("return [x, x * 2]", call="a, b = net(x)"),
        kinds=("structure",),
    ),
    Trap(
        "H64", "other-values", "Hybridized, the net gives other values",
        "The same inputs give other numbers, another shape, or another number of outputs after `hybridize()`.",
        "Almost always one of the traps above: something of Python's was frozen, or means something else with "
        "Symbols. `check_hybridization` names the first operator with another value, and the line that made it.",
        "Go to the line that is named, and compare it with the operators of `F`, which do the same for both.",
        block('scale = {"NDArray": 1, "Symbol": 2}[type(x).__name__]\nreturn x * scale'),
        block("scale = 2\nreturn x * scale"),
        kinds=("value", "shape", "dtype", "outputs"),
    ),
    Trap(
        "H65", "variables-freeze", "A global variable, or one of an enclosing function, is read once",
        "`x * factor`, where `factor` is a variable outside of the net: setting it after the first hybridized call "
        "changes nothing.",
        _ONCE + " The variable was read then, and its value became a constant of the graph.",
        "Make it an input, a Parameter or a Constant, or call `net.hybridize()` again after changing it. A name in "
        "capitals that nothing changes is taken for a constant.",
        "factor = 2\n\n\n"
        + block("return x * factor", call="net(x)\nfactor = 10\nnet(x)"),
        block("return F.broadcast_mul(x, factor)", arguments="x, factor",
              call="net(x, nd.array([2]))\nnet(x, nd.array([10]))"),
        kinds=("variable",),
    ),
    Trap(
        "H66", "surroundings-freeze", "The environment, a file, the thread or the device is asked once",
        "`os.environ`, `open(...)`, `threading.get_ident()` or `mx.current_context()` in `hybrid_forward` answers for "
        "the call that was traced, and for no later one.",
        _ONCE + " What was answered then is a constant of the graph.",
        "Ask outside the net, and pass what depends on it as an input; what is fixed belongs in the constructor.",
        block('return x * float(os.environ.get("FACTOR", 2))'),
        block("return x * self.factor", init='self.factor = float(os.environ.get("FACTOR", 2))'),
        kinds=("environment", "file", "thread", "context"),
    ),
    Trap(
        "H67", "symbols-are-kept", "A Symbol of the trace is kept",
        "`self.last = y` in `hybrid_forward` keeps an array at every call before `hybridize()`. Afterwards it keeps "
        "the Symbol of the trace, for ever.",
        _ONCE + " A Symbol has no values, and belongs to the graph that it was made in.",
        "Return the value as a further output, and pass it as an input to the next call.",
        block("y = F.relu(x)\nself.last = y\nreturn y * 2", init="self.last = None"),
        block("y = F.relu(x)\nreturn [y * 2, y]", call="y, last = net(x)"),
        kinds=("kept",),
    ),
]  # fmt: skip
