"""Nets for every view: the lesson's, and those that no view was made for."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from typing import Any

import d2lhybrid as mx
from d2lhybrid import nd, np, npx
from d2lhybrid.gluon import nn, rnn

__all__ = ["NETS", "dialect", "made"]


class HybridNet(nn.HybridBlock):
    """The lesson's."""

    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        with self.name_scope():
            self.hidden = nn.Dense(10)
            self.output = nn.Dense(2)
        self.factor = 10

    def hybrid_forward(self, F, x):
        print("F: ", F.__name__)
        x = F.relu(self.hidden(x)) * self.factor
        print("hidden: ", x)
        return self.output(x)


class AClassifierWithAnUncommonlyLongNameAsTheyAreFoundInLargeProjects(nn.HybridBlock):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        with self.name_scope():
            self.projection_of_the_normalized_and_flattened_input_features = nn.Dense(
                8, activation="relu", prefix="projection_of_the_normalized_and_flattened_input_features_"
            )
            self.classifier = nn.Dense(3)
        self.temperature_by_which_all_of_the_logits_are_divided_in_the_end = 2.5

    def hybrid_forward(self, F, an_input_that_is_called_by_what_it_means_in_the_domain):
        projected_and_rectified = self.projection_of_the_normalized_and_flattened_input_features(
            an_input_that_is_called_by_what_it_means_in_the_domain
        )
        print(
            "the projection, rectified, before it is classified and divided by the temperature:",
            projected_and_rectified,
        )
        return (
            self.classifier(projected_and_rectified)
            / self.temperature_by_which_all_of_the_logits_are_divided_in_the_end
        )


class Level(nn.HybridBlock):
    def __init__(self, depth, **kwargs):
        super().__init__(**kwargs)
        with self.name_scope():
            self.inner = Level(depth - 1) if depth else nn.Dense(4, activation="tanh")
        self.depth = depth

    def hybrid_forward(self, F, x):
        if self.depth % 3 == 0:
            print("level", self.depth)
        return self.inner(F.relu(x + self.depth)) * 0.5


class TwoInputs(nn.HybridBlock):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        with self.name_scope():
            self.cell = rnn.LSTMCell(4)
            self.out = nn.Dense(2)

    def hybrid_forward(self, F, x, states, mask=None):
        y, states = self.cell(x, states)
        if mask is not None:
            y = F.broadcast_mul(y, mask)
        print("states:", len(states), "mask:", mask is not None)
        return self.out(y), states


class ControlFlow(nn.HybridBlock):
    def hybrid_forward(self, F, x):
        def step(data, states):
            return F.tanh(data + states[0]), [states[0] + data]

        def turn(i, total):
            return total, [i + 1, F.broadcast_mul(total, i)]

        out, states = F.contrib.foreach(step, x, [F.zeros((3,))])
        for name in ("out", "states"):
            print(name, "is there")
        _, (_count, total) = F.contrib.while_loop(
            lambda i, total: F.broadcast_lesser(i, F.ones((1,)) * 3), turn, [F.ones((1,)), states[0]], max_iterations=4
        )
        chosen = F.contrib.cond(F.sum(out) > 0, lambda: F.exp(total), lambda: total - 1)
        return out, F.concat(chosen, F.zeros((2,)), dim=0)


class OfNumPy(nn.HybridBlock):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        with self.name_scope():
            self.dense = nn.Dense(3, flatten=False)

    def hybrid_forward(self, F, x):
        y = F.npx.relu(self.dense(x))
        print("y:", y)
        mean = F.np.mean(y, axis=-1, keepdims=True)
        return F.np.einsum("bij,bkj->bik", y - mean, y), F.np.where(y > 0, y, F.np.zeros_like(y))


class PrintsInLoops(nn.HybridBlock):
    def hybrid_forward(self, F, x):
        for i in range(3):
            print("turn", i, "<b>&amp;</b>")
            x = x + i
        return [print("in a list", i) or F.relu(x * i) for i in range(3)][-1]


class Unrolled(nn.HybridBlock):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        with self.name_scope():
            self.cell = rnn.GRUCell(4)

    def hybrid_forward(self, F, x):
        out, _ = self.cell.unroll(5, x, layout="NTC", merge_outputs=True)
        return out


def _image_net() -> nn.HybridBlock:
    net = nn.HybridSequential(prefix="images_")
    with net.name_scope():
        net.add(
            nn.Conv2D(6, 3, padding=1), nn.BatchNorm(), nn.Activation("relu"), nn.Dropout(0.5), nn.MaxPool2D(),
            nn.Flatten(), nn.Dense(10),
        )  # fmt: skip
    return net


#: Name -> the net and its inputs.
NETS: dict[str, Callable[[], tuple[Any, tuple[Any, ...]]]] = {
    "lesson": lambda: (HybridNet(prefix="net_"), (nd.ones((1, 4)),)),
    "long names": lambda: (
        AClassifierWithAnUncommonlyLongNameAsTheyAreFoundInLargeProjects(prefix="a_classifier_of_a_large_project_"),
        (nd.ones((2, 5)),),
    ),
    "deep nesting": lambda: (Level(9, prefix="level_"), (nd.ones((2, 4)),)),
    "two inputs": lambda: (
        TwoInputs(prefix="two_"), (nd.ones((2, 3)), [nd.zeros((2, 4)), nd.zeros((2, 4))], nd.ones((2, 1))),
    ),
    "control flow": lambda: (ControlFlow(prefix="flow_"), (nd.ones((4, 3)),)),
    "of np": lambda: (OfNumPy(prefix="np_"), (np.ones((2, 3, 4)),)),
    "prints in loops": lambda: (PrintsInLoops(prefix="loops_"), (nd.ones((2, 2)),)),
    "unrolled": lambda: (Unrolled(prefix="unrolled_"), (nd.ones((2, 5, 3)),)),
    "images": lambda: (_image_net(), (nd.ones((2, 3, 8, 8)),)),
}  # fmt: skip


@contextlib.contextmanager
def dialect(name: str) -> Iterator[None]:
    """Let arrays be those of ``np`` for a while, where a net is of them."""
    if name != "of np":
        yield
        return
    npx.set_np()
    try:
        yield
    finally:
        npx.reset_np()


def made(name: str) -> tuple[Any, tuple[Any, ...]]:
    """Return a net with its name, initialized, and its inputs."""
    mx.random.seed(1)
    net, inputs = NETS[name]()
    net.initialize()
    return net, inputs
