"""Operators written in Python: eager, on symbols, in hybridized nets, in files; and functions with a gradient."""

from __future__ import annotations

import json

import numpy
import pytest

import d2lhybrid as mx
from d2lhybrid import autograd, gluon, nd, sym

RANDOM = numpy.random.RandomState(1)


class Mask(mx.operator.CustomOp):
    """Remembers in forward what it needs in backward, and counts its calls in a state."""

    def __init__(self, scale):
        super().__init__()
        self.scale = scale

    def forward(self, is_train, req, in_data, out_data, aux):
        aux[0][:] += 1
        x = in_data[0].asnumpy()
        self.mask = nd.array(RANDOM.rand(*x.shape) > 0.5) * self.scale if is_train else nd.ones(x.shape)
        self.assign(out_data[0], req[0], in_data[0] * self.mask)

    def backward(self, req, out_grad, in_data, out_data, in_grad, aux):
        self.assign(in_grad[0], req[0], out_grad[0] * self.mask)


@mx.operator.register("mask")
class MaskProp(mx.operator.CustomOpProp):
    def __init__(self, scale="1"):
        super().__init__()
        self.scale = float(scale)

    def list_auxiliary_states(self):
        return ["calls"]

    def infer_shape(self, in_shape):
        return in_shape, [in_shape[0]], [(1,)]

    def create_operator(self, ctx, in_shapes, in_dtypes):
        return Mask(self.scale)


class TwoOp(mx.operator.CustomOp):
    def forward(self, is_train, req, in_data, out_data, aux):
        a, b = in_data
        self.assign(out_data[0], req[0], a * b)
        self.assign(out_data[1], req[1], a.sum(axis=1))

    def backward(self, req, out_grad, in_data, out_data, in_grad, aux):
        a, b = in_data
        self.assign(in_grad[0], req[0], out_grad[0] * b + out_grad[1].reshape((-1, 1)))
        self.assign(in_grad[1], req[1], out_grad[0] * a)


@mx.operator.register("two")
class TwoProp(mx.operator.CustomOpProp):
    def list_arguments(self):
        return ["a", "b"]

    def list_outputs(self):
        return ["product", "rows"]

    def infer_shape(self, in_shape):
        a = in_shape[0] or in_shape[1]
        return [a, a], [a, [a[0]]]

    def create_operator(self, ctx, in_shapes, in_dtypes):
        return TwoOp()


def plain(F, a, b):
    return F.elemwise_mul(a, b), F.sum(a, axis=1)


def custom(F, a, b):
    return tuple(F.Custom(a, b, op_type="two"))


class Net(gluon.HybridBlock):
    def __init__(self, compute):
        super().__init__()
        self.compute = compute

    def hybrid_forward(self, F, a, b):
        product, rows = self.compute(F, F.tanh(a), b)
        return F.broadcast_add(product, F.expand_dims(rows, axis=1))


@pytest.mark.parametrize("hybridize", [None, {}, {"static_alloc": True}, {"backend": "c"}], ids=str)
def test_gradients_are_those_of_the_same_in_operators(hybridize):
    found = []
    for compute in (plain, custom):
        net = Net(compute)
        if hybridize is not None:
            net.hybridize(**hybridize)
        a, b = (nd.array(numpy.random.RandomState(i).randn(3, 4)) for i in range(2))
        for x in (a, b):
            x.attach_grad()
        for _ in range(2):
            with autograd.record():
                y = net(a, b)
            y.backward()
        found.append([v.asnumpy() for v in (y, a.grad, b.grad)])
    for mine, expected in zip(*reversed(found), strict=True):
        numpy.testing.assert_allclose(mine, expected, rtol=1e-5, atol=1e-6)


def test_two_uses_in_one_net_remember_each_their_own():
    class Twice(gluon.HybridBlock):
        def __init__(self):
            super().__init__()
            self.calls = self.params.get("calls", shape=(1,), init="zeros", grad_req="null")

        def hybrid_forward(self, F, x, calls):
            return F.Custom(F.Custom(x, calls, op_type="mask"), calls, op_type="mask")

    net = Twice()
    net.initialize()
    net.hybridize()
    x = nd.array(RANDOM.rand(8, 8) + 1)
    x.attach_grad()
    with autograd.record():
        y = net(x)
    y.backward()
    numpy.testing.assert_array_equal(x.grad.asnumpy(), y.asnumpy() != 0)
    assert net.calls.data().asnumpy() == 2


def test_a_symbol_names_what_is_missing_and_is_saved_with_its_settings(tmp_path):
    symbol = sym.Custom(sym.var("x"), op_type="mask", scale=3, name="m")
    assert (symbol.list_arguments(), symbol.list_auxiliary_states()) == (["x"], ["m_calls"])
    assert symbol.list_outputs() == ["m_output"]
    assert symbol.infer_shape(x=(2, 3)) == ([(2, 3)], [(2, 3)], [(1,)])
    symbol.save(str(tmp_path / "s.json"))
    again = sym.load(str(tmp_path / "s.json"))
    assert again.tojson() == symbol.tojson()
    executor = again.simple_bind(mx.cpu(), x=(2, 50))
    executor.arg_dict["x"][:] = 1
    executor.forward(is_train=True)
    assert set(executor.outputs[0].asnumpy().ravel()) == {0, 3}
    executor.backward(nd.ones((2, 50)))
    numpy.testing.assert_array_equal(executor.grad_dict["x"].asnumpy(), executor.outputs[0].asnumpy())
    assert executor.aux_dict["m_calls"].asnumpy() == 1


def test_shapes_follow_from_either_input_and_outputs_have_names():
    symbol = sym.Custom(a=sym.var("a"), op_type="two", name="t")
    assert symbol.list_arguments() == ["a", "t_b"]
    assert symbol.list_outputs() == ["t_product", "t_rows"]
    assert symbol.infer_shape(t_b=(2, 3))[0] == [(2, 3), (2, 3)]


def test_a_report_says_where_python_still_runs():
    net = Net(custom)
    net.hybridize()
    net(nd.ones((2, 3)), nd.ones((2, 3)))
    assert "forward: Python still runs at net" in str(net.explain())
    assert net.programs[0].forward.text.count("Custom(") == 1
    drawn = net.graph(nd.ones((2, 3)), nd.ones((2, 3)))
    assert "Custom" in str(drawn)


class Broken(mx.operator.CustomOp):
    def forward(self, is_train, req, in_data, out_data, aux):
        raise ValueError("no idea")


@mx.operator.register("broken")
class BrokenProp(mx.operator.CustomOpProp):
    def create_operator(self, ctx, in_shapes, in_dtypes):
        return Broken()


@mx.operator.register("one list")
class OneListProp(mx.operator.CustomOpProp):
    def infer_shape(self, in_shape):
        return [in_shape]


class Writes(mx.operator.CustomOp):
    def forward(self, is_train, req, in_data, out_data, aux):
        in_data[0][:] = 0


@mx.operator.register("writes")
class WritesProp(mx.operator.CustomOpProp):
    def create_operator(self, ctx, in_shapes, in_dtypes):
        return Writes()


@mx.operator.register("equal names")
class EqualNamesProp(mx.operator.CustomOpProp):
    def list_arguments(self):
        return ["a", "b", "a"]


MISTAKES = {
    "an unknown name": (lambda x: nd.Custom(x, op_type="msk"), "Cannot find custom operator msk"),
    "no name": (lambda x: nd.Custom(x), "Required argument `op_type` is missing"),
    "too few inputs": (lambda x: nd.Custom(op_type="two"), r"\(0 vs. 2\) : Operator Custom expects 2 inputs"),
    "an unknown input": (lambda x: nd.Custom(x, c=x, op_type="two"), r"has no input 'c'\. The inputs are a, b"),
    "an unknown setting": (lambda x: nd.Custom(x, x, op_type="mask", size=3), "Error in mask.__init__: TypeError"),
    "equal names": (
        lambda x: nd.Custom(x, x, x, op_type="equal names"),
        "custom operator equal names must have different names, but 'a' is the name of two of them",
    ),
    "an error inside": (lambda x: nd.Custom(x, op_type="broken"), "Error in CustomOp.forward: ValueError: no idea"),
    "a wrong answer": (lambda x: nd.Custom(x, op_type="one list"), "infer_shape must return 2 or 3 lists"),
    "an input written to": (lambda x: nd.Custom(x, op_type="writes"), "Error in CustomOp.forward: ValueError"),
}


@pytest.mark.parametrize("name", MISTAKES)
def test_mistakes_are_named(name):
    run, message = MISTAKES[name]
    x = nd.ones((2, 3))
    with pytest.raises(mx.MXNetError, match=message):
        run(x)
    assert (x.asnumpy() == 1).all()


def test_a_second_derivative_is_refused():
    x = nd.ones((2, 2))
    x.attach_grad()
    with autograd.record():
        y = nd.Custom(x, x * 2, op_type="two")[0]
        (first,) = autograd.grad(y, x, create_graph=True)
        with pytest.raises(mx.MXNetError, match="_backward_Custom is non-differentiable"):
            first.backward()


class Swish(autograd.Function):
    def forward(self, x):
        self.save_for_backward(x)
        return x * nd.sigmoid(x)

    def backward(self, dy):
        (x,) = self.saved_tensors
        s = nd.sigmoid(x)
        return dy * (s + x * s * (1 - s))


class Halves(autograd.Function):
    num_outputs = 2

    def forward(self, x):
        return x / 2, x / 2

    def backward(self, da, db):
        return (da + db) / 2


class Functions(gluon.HybridBlock):
    def hybrid_forward(self, F, x):
        a, b = Halves()(Swish()(x * 2))
        return a * Swish()(x) + b


def test_functions_run_in_hybridized_nets_each_call_with_its_own():
    found = []
    for hybridize in (False, True):
        net = Functions()
        net.hybridize(hybridize)
        xs = [nd.array(numpy.random.RandomState(i).randn(5)) for i in range(2)]
        for x in xs:
            x.attach_grad()
        with autograd.record():
            ys = [net(x) for x in xs]
        for y in ys:
            y.backward()
        found.append([v.asnumpy() for v in (*ys, *(x.grad for x in xs))])
    for hybrid, eager in zip(*reversed(found), strict=True):
        numpy.testing.assert_allclose(hybrid, eager, rtol=1e-6)


class Logistic(autograd.Function):
    def forward(self, x):
        y = 1 / (1 + (-x).exp())
        self.save_for_backward(y)
        return y

    def backward(self, dy):
        (y,) = self.saved_tensors
        return 100 * dy * y * (1 - y)


class LogisticTwice(gluon.HybridBlock):
    def hybrid_forward(self, F, x):
        return Logistic()(Logistic()(x * 2).exp())


def test_a_file_holds_the_operators_that_a_function_calls(tmp_path):
    net = LogisticTwice(prefix="net0_")
    net.hybridize()
    x = nd.array([[1, -2, 3]])
    expected = net(x).asnumpy()
    net.export(str(tmp_path / "net"))
    graph = json.loads((tmp_path / "net-symbol.json").read_text("utf-8"))
    assert [node["op"] for node in graph["nodes"]] == [
        "null", "_mul_scalar", "_mul_scalar", "exp", "_plus_scalar", "_rdiv_scalar", "exp",
        "_mul_scalar", "exp", "_plus_scalar", "_rdiv_scalar",
    ]  # fmt: skip
    names = [node["name"] for node in graph["nodes"]]
    assert len(set(names)) == len(names)
    assert all(name.startswith("net0_") for name in names[1:])
    read = gluon.SymbolBlock.imports(str(tmp_path / "net-symbol.json"), ["data"])
    numpy.testing.assert_allclose(read(x).asnumpy(), expected, rtol=1e-6)
    x.attach_grad()
    found = []
    for block in (net, read):  # the net keeps its own gradient, and the file has that of the operators
        with autograd.record():
            y = block(x)
        y.backward()
        found.append(x.grad.asnumpy())
    numpy.testing.assert_allclose(found[0], 10000 * found[1], rtol=1e-4)


def test_a_function_that_takes_no_symbols_is_in_no_file(tmp_path):
    net = Functions()
    net.hybridize()
    net(nd.ones(2))
    with pytest.raises(mx.MXNetError, match="calls _Function_Swish, whose forward does not accept symbols") as caught:
        net.export(str(tmp_path / "net"))
    assert "x.exp()" in caught.value.__notes__[0]
    assert not list(tmp_path.iterdir())


class Times(autograd.Function):
    def __init__(self, factor):
        super().__init__()
        self.factor = factor

    def forward(self, x):
        return self.factor * x

    def backward(self, dy):
        return self.factor * dy


class TimesLayer(gluon.HybridBlock):
    def __init__(self, factor):
        super().__init__()
        self.factor = factor

    def hybrid_forward(self, F, x):
        return F.relu(Times(self.factor)(x) + x)


def test_functions_of_one_class_in_one_net_keep_their_own_settings():
    net = gluon.nn.HybridSequential()
    net.add(*(TimesLayer(factor) for factor in (2.0, 3.0, 5.0)))
    for flags in ({"active": False}, {}, {"static_alloc": True, "static_shape": True}):
        net.hybridize(**flags)
        assert net(nd.ones(2)).asnumpy().tolist() == [72, 72]  # 3 x 4 x 6
        for _ in range(2):
            x = nd.array([1, -2])
            x.attach_grad()
            with autograd.record():
                y = net(x)
            y.backward()
            assert y.asnumpy().tolist() == [72, 0] and x.grad.asnumpy().tolist() == [72, 0]
        assert net(nd.ones(2)).asnumpy().tolist() == [72, 72]


class Square(autograd.Function):
    def forward(self, x):
        self.save_for_backward(x)
        return x * x

    def backward(self, dy):
        (x,) = self.saved_tensors
        return 2 * x * dy


def test_a_function_whose_shape_others_tell_keeps_its_gradient():
    class Net(gluon.HybridBlock):
        def hybrid_forward(self, F, x, w=None):
            y = Square()(x) + x  # the sum says what shape the square has
            return F.relu(Square()(y) - y)

    found = []
    for hybridize in (False, True):
        net = Net()
        net.hybridize(hybridize)
        x = nd.array([1, -2, 3, -0.5])
        x.attach_grad()
        for _ in range(3):  # the last two before either goes backward
            with autograd.record():
                first, second = net(x), net(2 * x)
            autograd.backward([first, second])
            found.append([a.asnumpy().tolist() for a in (first, second, x.grad)])
    assert all(values == found[0] for values in found)


def test_an_operator_may_answer_with_sizes_that_are_not_known_yet():
    @mx.operator.register("second_of_two")
    class SecondOfTwo(mx.operator.CustomOpProp):
        def list_arguments(self):
            return ["first", "second"]

        def infer_shape(self, in_shape):
            return [in_shape[0], in_shape[0]], [in_shape[0]], []

        def create_operator(self, ctx, in_shapes, in_dtypes):
            class Second(mx.operator.CustomOp):
                def forward(self, is_train, req, in_data, out_data, aux):
                    self.assign(out_data[0], req[0], in_data[1])

            return Second()

    class Net(gluon.HybridBlock):
        def hybrid_forward(self, F, x):
            turned = F.transpose(Square()(x), axes=(1, 0))  # two axes, whose sizes nothing tells before it runs
            return F.Custom(turned, x, op_type="second_of_two")

    net, x = Net(), nd.array([[1, 2], [3, 4]])
    for active in (False, True):
        net.hybridize(active)
        assert net(x).asnumpy().tolist() == [[1, 2], [3, 4]]


@pytest.mark.parametrize("first", [False, True])
def test_parameters_after_a_function_have_a_shape_when_it_has_run(first):
    """In a hybridized net, nothing says it before, and the error says what to do; then the net runs."""

    class Widened(autograd.Function):
        def forward(self, x):
            return nd.concat(x, x, dim=1)

        def backward(self, dy):
            return dy[:, :3] + dy[:, 3:]

    class Net(gluon.HybridBlock):
        def __init__(self):
            super().__init__()
            self.last = gluon.nn.Dense(2)

        def hybrid_forward(self, F, x):
            return self.last(Widened()(x))

    net, x = Net(), nd.ones((2, 3))
    net.initialize()
    if first:
        net(x)
    net.hybridize()
    if first:
        assert net(x).shape == (2, 2)
        assert net.last.weight.shape == (2, 6)
        return
    with pytest.raises(ValueError, match="Deferred initialization failed") as caught:
        net(x)
    assert any("The shapes of the outputs of `Widened`" in note for note in caught.value.__notes__)
    net.hybridize(False)
    assert net(x).shape == (2, 2)


def test_a_function_of_several_outputs_says_so():
    class Silent(autograd.Function):
        def forward(self, x):
            return x, x

    class Calls(gluon.HybridBlock):
        def hybrid_forward(self, F, x):
            return Silent()(x)

    net = Calls()
    net.hybridize()
    with pytest.raises(mx.MXNetError, match=r"Silent.forward returned 2 outputs, but the graph has 1") as caught:
        net(nd.ones(2))
    assert any("num_outputs = 2" in note for note in caught.value.__notes__)


def test_the_older_classes_work_on_arrays_of_numpy():
    class Square(mx.operator.NumpyOp):
        def forward(self, in_data, out_data):
            out_data[0][:] = in_data[0] ** 2

        def backward(self, out_grad, in_data, out_data, in_grad):
            in_grad[0][:] = 2 * in_data[0] * out_grad[0]

    executor = Square()(sym.var("x"), name="square").simple_bind(mx.cpu(), x=(3,))
    assert executor.forward(is_train=True, x=nd.array([1, 2, 3]))[0].asnumpy().tolist() == [1, 4, 9]
    executor.backward(nd.ones(3))
    assert executor.grad_dict["x"].asnumpy().tolist() == [2, 4, 6]


def test_operators_tell_what_they_take():
    assert {"Custom", "Convolution"} <= set(mx.operator.get_all_registered_operators())
    assert mx.operator.get_operator_arguments("FullyConnected").names[:3] == ["data", "weight", "bias"]


class Bent(autograd.Function):
    """A function whose gradient uses what it has saved of its input and of its output."""

    def forward(self, x):
        y = x * x + 0.5
        self.save_for_backward(x, y)
        return y

    def backward(self, dy):
        x, y = self.saved_tensors
        return dy * x * y


@pytest.mark.parametrize("backend", [None, "numpy", "c"])
def test_a_function_has_second_derivatives_in_a_hybridized_net_as_line_by_line(backend):
    class Net(gluon.HybridBlock):
        def hybrid_forward(self, F, x):
            return Bent()(x) + F.tanh(x)

    net = Net()
    net.initialize()
    if backend:
        net.hybridize(backend=backend)
    x = nd.array([1.0, 2.0, -3.0])
    x.attach_grad()
    with autograd.record():
        (first,) = autograd.grad(net(x), [x], create_graph=True)
    first.backward()
    raw, tanh = x.asnumpy(), numpy.tanh(x.asnumpy())
    numpy.testing.assert_allclose(first.asnumpy(), raw * (raw * raw + 0.5) + 1 - tanh**2, rtol=1e-6)
    # The gradient dy * x * y is differentiated by x itself, and by y, whose gradient is the function's own again.
    expected = raw * raw + 0.5 + raw * raw * (raw * raw + 0.5) - 2 * tanh * (1 - tanh**2)
    numpy.testing.assert_allclose(x.grad.asnumpy(), expected, rtol=1e-5)
