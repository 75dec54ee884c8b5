"""Blocks as people write them, with the parameters that they need; a type checker reads it."""

from typing import Any, assert_type

from d2lhybrid import gluon, nd, np, sym
from d2lhybrid.gluon import nn, rnn
from d2lhybrid.ndarray import NDArray
from d2lhybrid.numpy import ndarray
from d2lhybrid.symbol import Symbol
from d2lhybrid.typing import FunctionSpace, NumpyTensor, Tensor

x, s, z = nd.ones((2, 3)), sym.var("x"), np.ones((2, 3))


class Plain(nn.Block):
    """One input."""

    def forward(self, x):
        return x


class Annotated(nn.Block):
    """One input, and said what comes out."""

    def forward(self, x: NDArray) -> dict[str, NDArray]:
        return {"scores": x, "boxes": x}


class Nothing(nn.Block):
    """No input at all."""

    def forward(self):
        return nd.zeros((1,))


class Optional(nn.Block):
    """Several inputs, some of which may be left out."""

    def forward(self, query, key=None, value=None, *others, scale=1.0, **settings):
        return query * scale if key is None else query * key * scale


class Lists(nn.Block):
    """A list of arrays."""

    def forward(self, features):
        return [feature * 2 for feature in features]


class Hybrid(nn.HybridBlock):
    """The signature of the lessons: nothing is said, and all is known."""

    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.hidden = nn.Dense(3)
        self.act = nn.Activation("relu")

    def hybrid_forward(self, F, x):
        assert_type(F, FunctionSpace)
        assert_type(x, Tensor)
        assert_type(self.hidden(x), Tensor)
        assert_type(F.relu(x) * 2 + x[0], Tensor)
        assert_type(F.FullyConnected(x, x, x, num_hidden=3), Tensor)
        assert_type(F.concat(x, x, dim=1), Tensor)
        assert_type(F.random.normal(0, 1, shape=(2, 3)), Tensor)
        assert_type(F.contrib.div_sqrt_dim(x), Tensor)
        assert_type(F.linalg.gemm2(x, x), Tensor)
        assert_type(F.np.exp(x), NumpyTensor)
        assert_type(F.npx.relu(x), NumpyTensor)
        first, second = F.split(x, num_outputs=2, axis=1)
        print(F, F.__name__, first + second, x.relu().reshape((-1,)).sum(axis=0))
        return self.act(self.hidden(x))


class Parameters(nn.HybridBlock):
    """Parameters of a block's own."""

    def __init__(self, units, **kwargs):
        super().__init__(**kwargs)
        self.weight = self.params.get("weight", shape=(units, 0), allow_deferred_init=True)
        self.bias = self.params.get("bias", shape=(units,))

    def hybrid_forward(self, F, x, weight, bias=None):
        return F.FullyConnected(x, weight, bias, num_hidden=3, no_bias=bias is None)


class OtherNames(nn.HybridBlock):
    """Inputs that are called otherwise, optional ones, and all that there are."""

    def hybrid_forward(self, F, query, *keys, mask=None, **parameters):
        return F.concat(query, *keys) if mask is None else query


class NotHybrid(nn.HybridBlock):
    """What is no operator: forward is overridden."""

    def forward(self, x, valid_length=None):
        return super().forward(x), valid_length


class Said(nn.HybridBlock):
    """With other parameters than the lessons' a program says what F is, and editors know the rest."""

    def hybrid_forward(self, F: FunctionSpace, query: Tensor, key: Tensor) -> Tensor:
        assert_type(F.batch_dot(query, key, transpose_b=True), Tensor)
        return F.softmax(F.batch_dot(query, key, transpose_b=True), axis=-1)


class Pair(nn.HybridBlock):
    """Two outputs."""

    def hybrid_forward(self, F, x):
        return F.relu(x), F.exp(x)


class Pyramid(nn.HybridBlock):
    """As many outputs as there are levels."""

    def __init__(self):
        super().__init__()
        self.levels = [nn.Conv2D(8, 3) for _ in range(3)]
        for level in self.levels:
            self.register_child(level)

    def hybrid_forward(self, F, x):
        outputs = []
        for level in self.levels:
            x = level(x)
            outputs.append(x)
        return outputs


class Wrapped(nn.HybridSequential):
    """A row of layers that gives more than its last one."""

    def hybrid_forward(self, F, x, *others):
        outputs = [layer(x) for layer in self._children.values()]
        return outputs, outputs[0]


class Calls(nn.Block):
    """A block that is called in a way of its own."""

    def __call__(self, inputs, states=None):
        return super().__call__(inputs, states)

    def forward(self, inputs, states):
        return inputs


class Margin(gluon.loss.Loss):
    """A loss."""

    def __init__(self, margin=1.0, weight=None, batch_axis=0, **kwargs):
        super().__init__(weight, batch_axis, **kwargs)
        self._margin = margin

    def hybrid_forward(self, F, pred, label, sample_weight=None):
        return F.relu(self._margin - pred * label)


class Cell(rnn.HybridRecurrentCell):
    """A cell."""

    def hybrid_forward(self, F, inputs, states, weight):
        output = F.tanh(inputs + F.dot(states[0], weight))
        return output, [output]


# What is known of a result is said of a call; what is not known is taken for what it is most often.
assert_type(Hybrid()(x), NDArray)
assert_type(Hybrid()(s), Symbol)
assert_type(Hybrid()(z), ndarray)
assert_type(Said()(x, x), NDArray)
assert_type(Pair()(x), tuple[NDArray, NDArray])
assert_type(Pair()(s), tuple[Symbol, Symbol])
assert_type(Annotated()(x), dict[str, NDArray])
assert_type(Nothing()(), NDArray)
assert_type(nn.Dense(3)(x), NDArray)
assert_type(nn.Conv2D(3, 3)(s), Symbol)
assert_type(nn.BatchNorm()(z), ndarray)
assert_type(nn.HybridSequential()(x), NDArray)
assert_type(nn.Sequential()(s), Symbol)
assert_type(gluon.model_zoo.vision.resnet18_v1()(x), NDArray)
assert_type(rnn.LSTM(3)(x), NDArray)
assert_type(rnn.LSTM(3)(x, rnn.LSTM(3).begin_state(2)), tuple[NDArray, list[NDArray]])
assert_type(rnn.GRUCell(3)(x, [x]), tuple[NDArray, list[NDArray]])
assert_type(gluon.loss.L2Loss()(x, x), NDArray)

Plain()(x).asnumpy()
Plain()(x, 3)
Plain()([x, x])
Optional()(x, x, x, x)
scores, boxes = Lists()([x, x])
Parameters(3)(x).sum()
OtherNames()(x, x, x)
output, length = NotHybrid()(x)
for level in Pyramid()(x):
    level.asnumpy()
(outputs, last), both = Wrapped()(x), Pair()(x)
both[0].asnumpy()
Calls()(x).sum()
Margin()(x, x).mean().backward()
out, states = Cell()(x, [x])
print(out.asnumpy(), states, Cell().unroll(3, x))


def some(block: gluon.Block, hybrid: gluon.HybridBlock, batch: Any) -> None:
    """Call blocks of which no more is known."""
    print(block(x).sum(), hybrid(x).sum(), block(batch), hybrid(batch, x), hybrid(x, [x]))
    first, second = hybrid(x)
    print(first.asnumpy(), second.asnumpy())


# The spaces themselves are what F may be.
spaces: list[FunctionSpace] = [nd, sym]
Said().hybrid_forward(nd, x, x)
Hybrid().hybrid_forward(sym, s)
