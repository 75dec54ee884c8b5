"""NumPy shapes: unknown sizes are -1, and 0 is a size; results as real MXNet 1.9.1 gives them."""

import pytest

import d2lhybrid as mx
from d2lhybrid.errors import ShapeError


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
