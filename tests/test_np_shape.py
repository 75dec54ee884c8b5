"""NumPy shapes: unknown sizes are -1, and 0 is a size; results as real MXNet 1.9.1 gives them."""

import numpy as np
import pytest

import d2lhybrid as mx
from d2lhybrid import gluon, nd
from d2lhybrid.error import ShapeError
from d2lhybrid.gluon import rnn
from d2lhybrid.util import np_shape


def test_arrays_without_elements_and_without_axes() -> None:
    with mx.np_shape():
        assert mx.nd.zeros((0, 3)).shape == (0, 3)
        assert mx.nd.ones(()).shape == ()
        assert mx.nd.ones((2, 0)).sum().asnumpy().tolist() == [0.0]
        assert mx.nd.concat(mx.nd.zeros((2, 3)), mx.nd.zeros((0, 3)), dim=0).shape == (2, 3)
        assert mx.nd.stack(mx.nd.ones(()), mx.nd.ones(())).shape == (2,)
    for shape in ((0, 3), ()):
        with pytest.raises(ShapeError, match="inferring shapes failed"):
            mx.nd.zeros(shape)


def test_a_size_of_zero_in_a_graph() -> None:
    with mx.np_shape():
        assert mx.sym.zeros((0, 2)).infer_shape() == ([], [(0, 2)], [])
        assert (mx.sym.var("x") * 2).infer_shape(x=(0,)) == ([(0,)], [(0,)], [])
        with pytest.raises(mx.MXNetError):
            mx.nd.zeros((-1, 2))
    total = mx.sym.zeros((0, 2)) + mx.sym.var("x")
    assert total.infer_shape(x=(3, 2)) == ([(3, 2)], [(3, 2)], [])


def test_switching() -> None:
    assert not mx.is_np_shape()
    assert [mx.set_np_shape(True), mx.set_np_shape(False), mx.set_np_shape(False)] == [False, True, False]
    with mx.np_shape(), mx.np_shape(active=False):
        assert not mx.is_np_shape()
    assert mx.use_np_shape(mx.is_np_shape)() and not mx.is_np_shape()


class Base:
    def inherited(self):
        return mx.is_np_shape(), mx.is_np_array()


def test_every_method_of_a_class() -> None:
    @mx.use_np
    class Model(Base):
        def __init__(self):
            self.made = self.inherited()

        def method(self):
            return mx.is_np_shape(), mx.is_np_array()

        @property
        def value(self):
            return self.method()

        @value.setter
        def value(self, _):
            self.written = self.method()

        @staticmethod
        def static():
            return mx.is_np_shape(), mx.is_np_array()

        @classmethod
        def made_by(cls):
            return cls.static(), cls.__name__

    model = Model()
    model.value = 1
    both = (True, True)
    assert (model.made, model.method(), model.inherited(), model.value, model.written) == (both,) * 5
    assert Model.static() == both and Model.made_by() == (both, "Model")
    assert Base().inherited() == (False, False)


class _Recurrent(gluon.HybridBlock):
    """A layer and an unrolled cell, both without first states: their batch is not known in a graph."""

    def __init__(self):
        super().__init__()
        with self.name_scope():
            self.layer, self.cell = rnn.LSTM(3, layout="NTC"), rnn.GRUCell(3)

    def hybrid_forward(self, F, x):
        return self.layer(x), self.cell.unroll(2, x, layout="NTC", merge_outputs=True)[0]


@pytest.mark.filterwarnings("ignore:Cannot decide type")
@pytest.mark.parametrize("numpy_shapes", [True, False])
def test_the_batch_of_first_states_follows_from_the_input(numpy_shapes, tmp_path):
    with np_shape(numpy_shapes):
        net = _Recurrent()
        net.initialize()
        expected = {batch: [y.asnumpy() for y in net(nd.ones((batch, 2, 4)))] for batch in (3, 5)}
        net.hybridize()
        net(nd.ones((3, 2, 4)))
        net.export(str(tmp_path / "net"))
        read = gluon.SymbolBlock.imports(str(tmp_path / "net-symbol.json"), ["data"], str(tmp_path / "net-0000.params"))
        for block in (net, read):
            for batch, right in expected.items():
                for found, value in zip(block(nd.ones((batch, 2, 4))), right, strict=True):
                    np.testing.assert_allclose(found.asnumpy(), value, rtol=1e-5)


def test_a_variable_of_no_rows_has_no_rows():
    def net():
        return mx.sym.FullyConnected(mx.sym.var("x", shape=(0, 4)), num_hidden=3, name="fc")

    with mx.util.np_shape(True):
        assert net().infer_shape() == ([(0, 4), (3, 4), (3,)], [(0, 3)], [])
        unknown = mx.sym.elemwise_add(mx.sym.var("v", shape=(-1, 4)), mx.sym.var("w"))
        assert unknown.infer_shape(w=(2, 4))[1] == [(2, 4)]
    assert net().infer_shape_partial() == ([(0, 4), (3, 4), (3,)], [(0, 3)], [])
