"""What is done with a net: calls in every mode, with writes, errors and other shapes in between."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator

from .program import Array, Program

__all__ = ["Step", "use_text"]


@dataclasses.dataclass(frozen=True)
class Step:
    """One thing that is done.

    Attributes
    ----------
    kind : str
        A key of ``_KINDS``.
    arrays : tuple of Array
        What a call is given in the place of the inputs; none for the inputs themselves.
    number : int
        Chooses among what there is: which parameter, which result.
    """

    kind: str
    arrays: tuple[Array, ...] = ()
    number: int = 0

    def lines(self, at: int, passed: tuple[int, ...]) -> Iterator[str]:
        """Yield the text; results of calls are ``y0``, ``y1`` ... by the number of the step."""
        x = "x"
        if self.arrays:
            x = f"x{at}"
            yield f"{x} = [{', '.join(f'array({a.text}, ctx)' for a in self.arrays)}]"
            yield f"attach({x})"
        yield f"mx.random.seed({at})"
        given = f", passed={passed}" if passed else ", passed=()"
        for line in _KINDS[self.kind]:
            yield (
                line.replace("X", x)
                .replace("Y", f"y{at}")
                .replace("AT", str(at))
                .replace("NUMBER", str(self.number))
                .replace("PASSED", given[2:])
            )


_NOTE = [
    "held.append(('AT', own(Y)))",
    "note('AT output', Y)",
    "if compiled and net._active: apart(Y, X + states(net), PASSED)",
]

#: Kind of a step -> its lines.
_KINDS: dict[str, list[str]] = {
    "predict": ["Y = net(*X)", *_NOTE],
    "train": ["with autograd.train_mode(): Y = net(*X)", *_NOTE],
    "record": [
        "with autograd.record(): Y = net(*X)", *_NOTE,
        "autograd.backward(floats(Y), heads(floats(Y)))", "note_gradients('AT', net, X)",
    ],
    "record in prediction": [
        "with autograd.record(train_mode=False): Y = net(*X)", *_NOTE,
        "autograd.backward(floats(Y), heads(floats(Y)), train_mode=False)", "note_gradients('AT', net, X)",
    ],
    "backward twice": [
        "with autograd.record(): Y = net(*X)", *_NOTE,
        "autograd.backward(floats(Y), heads(floats(Y)), retain_graph=True)", "note_gradients('AT first', net, X)",
        "autograd.backward(floats(Y), heads(floats(Y), 1))", "note_gradients('AT second', net, X)",
    ],
    "two at once": [
        "with autograd.record(): Y = net(*X), net(*X)", *_NOTE[:2],
        "autograd.backward(floats(Y), heads(floats(Y)))", "note_gradients('AT', net, X)",
    ],
    "used further": [
        "with autograd.record(): Y = net(*X); Z = [mx.nd.tanh(a.as_nd_ndarray()) * 2 for a in floats(Y)]", *_NOTE,
        "autograd.backward(Z)", "note_gradients('AT', net, X)",
    ],
    "second": [
        "with autograd.record():",
        "    Y = net(*X)",
        "    G = autograd.grad(floats(Y), wanted(X), heads(floats(Y)), create_graph=True)",
        *_NOTE, "note('AT first', G)",
        "forget(net, X)",
        "autograd.backward(G, heads(G))", "note_gradients('AT', net, X)",
    ],
    "third": [
        "with autograd.record():",
        "    Y = net(*X)",
        "    G = autograd.grad(floats(Y), wanted(X), heads(floats(Y)), create_graph=True)",
        "    H = autograd.grad(G, wanted(X), heads(G, 1), create_graph=True)",
        *_NOTE, "note('AT second', H)",
        "forget(net, X)",
        "autograd.backward(H, heads(H))", "note_gradients('AT', net, X)",
    ],
    "penalty": [
        "with autograd.record():",
        "    Y = net(*X)",
        "    G = autograd.grad(floats(Y), wanted(X), heads(floats(Y)), create_graph=True)",
        "    P = [(a * a).sum() for a in G] + [(a * 0.5).sum() for a in floats(Y)]",
        "    P = sum(P[1:], P[0])",
        *_NOTE,
        "forget(net, X)",
        "P.backward()", "note_gradients('AT', net, X)",
    ],
    "accumulate": [
        "for p in parameters(net):",
        "    if p.grad_req == 'write': p.grad_req = 'add'",
    ],
    "some heads": [
        "with autograd.record(): Y = net(*X)", *_NOTE, "forget(net, X)",
        "S = floats(Y)[NUMBER % len(floats(Y)) ::2]",
        "autograd.backward(S, heads(S))", "note_gradients('AT', net, X)",
    ],
    "one head after another": [
        "with autograd.record(): Y = net(*X)", *_NOTE,
        "for S in floats(Y)[:-1]:",
        "    forget(net, X)",
        "    autograd.backward(S, heads([S])[0], retain_graph=True)",
        "    note_gradients('AT', net, X)",
        "forget(net, X)",
        "autograd.backward(floats(Y)[-1], heads(floats(Y)[-1:])[0])", "note_gradients('AT last', net, X)",
    ],
    "forgotten": ["with autograd.record(): Y = net(*X)", "del Y"],
    "trainer": [
        "if trainer is None:",
        "    trainer = gluon.Trainer(net.collect_params(), 'sgd', {'learning_rate': 0.1, 'momentum': 0.5})",
        "trainer.step(2)",
    ],
    "set": ["change(net, NUMBER, lambda p: p.set_data(p.data() * 0.5))"],
    "assign": ["change(net, NUMBER, lambda p: p.data().__setitem__(slice(None), p.data() + 0.25))"],
    "assign a view": ["change(net, NUMBER, lambda p: p.data()[:1].__setitem__(slice(None), 0.5))"],
    "in place": ["change(net, NUMBER, lambda p: p.data().__imul__(0.5))"],
    "copy": ["change(net, NUMBER, lambda p: (p.data() + 0.25).copyto(p.data()))"],
    "input": ["x[NUMBER % len(x)][:] = x[NUMBER % len(x)] * 0 + 1"],
    "scribble": ["scribble(held, NUMBER)"],
    "bad": [
        "try: net(*[a.reshape((1, -1, 1, 1, 1)) for a in x[:1]], *x[1:])",
        "except Exception: pass",
    ],
    "few": [
        "try: net(*x, *x)",
        "except Exception: pass",
    ],
    "same twice": ["Y = net(*[x[0]] * len(x))", *_NOTE],
    "same twice recorded": [
        "with autograd.record(): Y = net(*[x[0]] * len(x))", *_NOTE,
        "autograd.backward(floats(Y), heads(floats(Y)))", "note_gradients('AT', net, X)",
    ],
    "same twice second": [
        "with autograd.record():",
        "    Y = net(*[x[0]] * len(x))",
        "    G = autograd.grad(floats(Y), [x[0]], heads(floats(Y)), create_graph=True)",
        *_NOTE, "note('AT first', G)",
        "forget(net, X)",
        "autograd.backward(G, heads(G))", "note_gradients('AT', net, X)",
    ],
    "eager again": ["if compiled: net.hybridize(False)"],
    "hybrid again": ["if compiled: net.hybridize(**flags)"],
}  # fmt: skip

_HELPERS = """\
def states(net):
    return [p.data() for p in parameters(net) if p._data is not None]  # one of a branch that never ran has none


def wanted(x):
    return [a for a in x if a.grad is not None]


def attach(x):
    for a, req in zip(x, GRAD_REQS):
        if req != "null" and numpy.dtype(a.dtype).kind == "f":
            a.attach_grad(req)


def forget(net, x):
    for a in wanted(x):
        a.grad[:] = 0
    for p in parameters(net):
        p.zero_grad()


def own(y):
    return [a for i, a in enumerate(flat(y)) if i % COUNT not in SHARED]


def change(net, number, how):
    chosen = parameters(net)
    if chosen:
        how(chosen[number % len(chosen)])


def scribble(held, number):
    if held:
        name, y = held.pop(number % len(held))
        for a in y:
            a[:] = 1


"""


def use_text(program: Program) -> str:
    """Return the function that uses a net, and notes everything that can be seen."""
    kinds = [i.grad_req for i in program.inputs]
    lines = [_HELPERS + f"GRAD_REQS = {kinds}", f"SHARED, COUNT = {program.shared}, {len(program.net.outputs)}", "", ""]
    lines += ["def use(make, ctx, compiled, flags={}):", "    seen.clear()", "    held, trainer = [], None"]
    lines += ["    x = [", *(f"        array({i.array.text}, ctx),  # {i.name}" for i in program.inputs), "    ]"]
    lines += ["    net = make(x, ctx)", "    attach(x)"]
    for at, step in enumerate(program.steps):
        lines.append("")
        if at and program.branches:  # a branch not taken leaves gradients as they are, a program makes them 0
            lines.append("    forget(net, x)")
        lines += [f"    {line}" for line in step.lines(at, program.passed)]
    lines += [
        "",
        "    for name, y in held:",
        "        note(f'{name} still', y)",
        "    note('input afterwards', x)",
        "    note_parameters('afterwards', net)",
        "    return list(seen)",
    ]
    return "\n".join(lines) + "\n"
