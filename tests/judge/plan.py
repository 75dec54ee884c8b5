"""What a training program is, and its text.

A plan is made of frozen dataclasses, tuples and dictionaries alone, so that the shrinker can leave out parts without
knowing what they mean. The text is everything: what runs is what is printed. It imports ``mxnet``, and runs on both
sides.
"""

from __future__ import annotations

import dataclasses
import random
import re
import textwrap
from collections.abc import Iterator
from pathlib import Path

__all__ = ["Batch", "Line", "Plan", "Step", "arguments", "prelude"]


#: Settings that MXNet's kernels hold in float32, and the numbers that they have where none are given.
HELD = {
    "adam": {"beta1": "0.9", "beta2": "0.999"}, "lamb": {"beta1": "0.9", "beta2": "0.999"},
    "ftml": {"beta1": "0.6", "beta2": "0.999"}, "rmsprop": {"gamma1": "0.9", "gamma2": "0.9"},
    "signum": {"momentum": "0.9"},
}  # fmt: skip


@dataclasses.dataclass(frozen=True)
class Line:
    """One line of a net's ``hybrid_forward``, and what it needs.

    Attributes
    ----------
    call : str
        The line; it changes ``x``.
    declares : tuple of str
        Lines of ``__init__``.
    """

    call: str
    declares: tuple[str, ...] = ()


@dataclasses.dataclass(frozen=True)
class Batch:
    """What a batch is made of: names, and expressions of ``n``, the size, and ``seed``.

    Attributes
    ----------
    inputs : tuple of (str, str)
        What the net is called with; the first is ``x``.
    labels : tuple of (str, str)
        What the loss is called with after the net's result.
    """

    inputs: tuple[tuple[str, str], ...]
    labels: tuple[tuple[str, str], ...] = ()


@dataclasses.dataclass(frozen=True)
class Step:
    """What is done: lines, in which ``STEP`` is the number of the step, and words in capitals are settings.

    Attributes
    ----------
    lines : tuple of str
        The lines.
    sizes : tuple of (str, int)
        Words, and the numbers in their place; ``N``, the size of a batch, among them.
    extras : tuple of (str, str)
        Lines that may be left out, each with the word in whose place it comes.
    """

    lines: tuple[str, ...]
    sizes: tuple[tuple[str, int], ...] = ()
    extras: tuple[tuple[str, str], ...] = ()

    @property
    def imperative(self) -> Step:
        """The step without calls of ``hybridize``."""
        lines = tuple("pass" if "hybridize(" in line else line for line in self.lines)
        extras = tuple((word, line) for word, line in self.extras if "hybridize(" not in line)
        return dataclasses.replace(self, lines=lines, extras=extras)

    def text(self, at: int) -> Iterator[str]:
        """Yield the lines of the step at a place of the program."""
        for line in self.lines:
            indent, word = line[: len(line) - len(line.lstrip())], line.strip()
            if word.isupper() and word.isalpha():
                given = [indent + extra for name, extra in self.extras if name == word]
            else:
                given = [line]
            for one in given:
                for name, value in self.sizes:
                    one = one.replace(name, str(value))
                yield one.replace("STEP", str(at))


@dataclasses.dataclass(frozen=True)
class Plan:
    """A training program.

    Attributes
    ----------
    batch : Batch
        Its data.
    net : tuple of Line
        Its net.
    loss : str
        The class of its loss.
    loss_settings : dict
        The arguments of that.
    optimizer : str
        How the optimizer is called.
    settings : dict
        The arguments of that.
    steps : tuple of Step
        What is done.
    hybridize : str
        The arguments of ``hybridize``; empty if it is not called.
    scheduler : str
        The learning-rate scheduler; empty if there is none.
    changes : tuple of str
        Lines that change parameters before training: what is frozen, multipliers, ``grad_req``.
    module : str
        The arguments of ``bind``, beginning with a comma, if a Module trains the symbol of the net; empty if a
        trainer does.
    dtype : str
        The type of all numbers.
    numpy : bool
        Whether arrays are those of ``mx.np``, after ``npx.set_np()``.
    buckets : bool
        Whether the module is a BucketingModule, with a bucket for each size of a batch.
    promoted : bool
        Whether compiled programs are replaced by those of tier 1 at their second call; MXNet has no tiers.
    """

    batch: Batch
    net: tuple[Line, ...]
    loss: str
    loss_settings: tuple[tuple[str, str], ...]
    optimizer: str
    settings: tuple[tuple[str, str], ...]
    steps: tuple[Step, ...]
    hybridize: str = ""
    scheduler: str = ""
    changes: tuple[str, ...] = ()
    module: str = ""
    dtype: str = "float32"
    numpy: bool = False
    buckets: bool = False
    promoted: bool = False

    def text(self, noise: float = 0.0, seed: int = 0) -> str:
        """Return the program.

        Parameters
        ----------
        noise : float
            By how many units in the last place each number that it is given is moved.
        seed : int
            Which random numbers that takes.
        """
        parts = [prelude().replace("NOISE, SEED = 0, 0", f"NOISE, SEED = {noise:g}, {seed}")]
        if (self.dtype, self.numpy) != ("float32", False):
            parts[0] = parts[0].replace('NUMPY = "float32", False', f'NUMPY = "{self.dtype}", {self.numpy}')
        parts += [self._net_text(), self._batch_text()]
        if self.numpy:
            parts.insert(1, "mx.npx.set_np()\n")
        body = ["if hasattr(mx, 'config'): mx.config(tiers='first')"] if self.promoted else []
        body.append("net = Net(prefix='net_')")
        if self.dtype != "float32":
            body.append(f"net.cast({self.dtype!r})")
        body += ["net.initialize()", "net(*batch(0, 2)[0])", "fill(net)", *self.changes]
        if self.hybridize:
            body.append(f"net.hybridize({self.hybridize.removeprefix('plain')})")
        body.append(f"measure = {self.loss}({arguments(self.loss_settings)})")
        settings = self.settings
        if self.scheduler:
            settings = (*settings, ("lr_scheduler", self.scheduler))
        if noise and self.dtype == "float32":
            held = {name: value for name, value in HELD.get(self.optimizer, {}).items() if not self.sets(name)}
            settings = tuple((name, _moved(value, noise, seed)) for name, value in (*settings, *held.items()))
        if self.module:
            return "\n\n".join([*parts, "\n".join([*body, *self._module_lines(settings)])]) + "\n"
        body += ["", "", "def trainer_of(net):"]
        given = ", ".join(f"{name!r}: {value}" for name, value in settings)
        body.append(f"    return gluon.Trainer(net.collect_params(), {self.optimizer!r}, {{{given}}})")
        body += ["", "", "trainer = trainer_of(net)"]
        for at, step in enumerate(self.steps):
            body += ["", *step.text(at)]
        return "\n\n".join([*parts, "\n".join(body)]) + "\n"

    def _module_lines(self, settings: tuple[tuple[str, str], ...]) -> list[str]:
        data = [name for name, _ in self.batch.inputs]
        labels = [name for name, _ in self.batch.labels]
        given = ", ".join(f"{name!r}: {value}" for name, value in settings)
        lines = [f"out = net({', '.join(f'mx.sym.var({name!r})' for name in data)})"]
        lines.append(f"loss = measure({', '.join(['out', *(f'mx.sym.var({name!r})' for name in labels)])})")
        lines += ["both = mx.sym.Group([mx.sym.MakeLoss(loss), mx.sym.BlockGrad(out)])", "", "", "def module_of(sym):"]
        if self.buckets:
            lines.append(
                f"    return mx.mod.BucketingModule(lambda key: (sym, {data}, {labels}), default_bucket_key=3)"
            )
        else:
            lines.append(f"    return mx.mod.Module(sym, data_names={data}, label_names={labels})")
        lines += ["", "", "def start(mod, n, params):", f"    shapes = shapes_of({data}, {labels}, batch(0, n))"]
        lines += [
            f"    mod.bind(*shapes{self.module})",
            "    mod.init_params(arg_params=params[0], aux_params=params[1])",
        ]
        lines += [f"    mod.init_optimizer(kvstore=None, optimizer={self.optimizer!r}, optimizer_params={{{given}}})"]
        lines += ["", "", "mod = module_of(both)", f"start(mod, {3 if self.buckets else 2}, values_of(net))"]
        for at, step in enumerate(self.steps):
            lines += ["", *step.text(at)]
        return lines

    def _net_text(self) -> str:
        declares = list(dict.fromkeys(d for line in self.net for d in line.declares))
        weights = [d.partition(" ")[0].removeprefix("self.") for d in declares if "self.params.get" in d]
        lines = ["class Net(gluon.HybridBlock):"]
        if declares:
            lines += ["    def __init__(self, **kwargs):", "        super().__init__(**kwargs)"]
            lines += ["        with self.name_scope():", *(f"            {line}" for line in declares), ""]
        names = ", ".join([name for name, _ in self.batch.inputs] + weights)
        lines += [f"    def hybrid_forward(self, F, {names}):", *(f"        {line.call}" for line in self.net)]
        return "\n".join([*lines, "        return x", ""])

    def _batch_text(self) -> str:
        def row(items: tuple[tuple[str, str], ...]) -> str:
            return "[" + ", ".join(text for _, text in items) + "]"

        lines = ["def batch(seed, n):"]
        lines.append(f"    return {row(self.batch.inputs)}, {row(self.batch.labels)}")
        return "\n".join([*lines, ""])

    def sets(self, name: str) -> bool:
        """Return whether an option of the optimizer is given."""
        return name in dict(self.settings)

    @property
    def hybridizes(self) -> bool:
        """Whether the net is hybridized at any time."""
        return bool(self.hybridize) or any(step.imperative != step for step in self.steps)

    @property
    def imperative(self) -> Plan:
        """The program without calls of ``hybridize``."""
        return dataclasses.replace(
            self, hybridize="", steps=tuple(step.imperative for step in self.steps), promoted=False
        )

    @property
    def size(self) -> int:
        """How long it is to read: what the shrinker makes smaller."""
        text = self.text()
        numbers = sum(value for step in self.steps for _, value in step.sizes)
        return len(text) - len(prelude()) + numbers


def _moved(value: str, noise: float, seed: int) -> str:
    """Return a setting moved in its last place: MXNet's kernels hold it, and 1 without it, in float32."""
    if not re.fullmatch(r"[0-9.e-]*[.e][0-9.e-]*", value):
        return value
    return repr(float(value) * (1 + noise * 2.0**-23 * random.Random(f"{value} {seed}").uniform(-1, 1)))


def arguments(settings: tuple[tuple[str, str], ...]) -> str:
    """Return settings as the arguments of a call."""
    return ", ".join(f"{name}={value}" for name, value in settings)


def prelude() -> str:
    """Return what every program begins with."""
    text = Path(__file__).with_name("prelude.py").read_text(encoding="utf-8")
    return textwrap.dedent(text.partition("# --- printed from here ---\n")[2])
