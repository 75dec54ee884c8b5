"""What a notebook shows of nets and arrays: the text of the lesson to the letter, and below it what that leaves out."""

import html
import re

import numpy
import pytest

import d2lhybrid as mx
from d2lhybrid import gluon, nd, np
from d2lhybrid.gluon import nn, rnn


@pytest.fixture(autouse=True)
def in_english():
    mx.config(lang="en")
    yield
    mx.config(lang="en")


def text_of(shown):
    """Return what stands in the HTML, and what of it is printed as it is."""
    (printed,) = re.findall(r"<pre[^>]*>(.*?)</pre>", shown, flags=re.DOTALL)
    return html.unescape(re.sub(r"<[^>]*>", "", shown)), html.unescape(printed)


def rows_of(shown):
    rows = re.findall(r"<tr[^>]*>(.*?)</tr>", shown, flags=re.DOTALL)
    cells = [re.findall(r"<td[^>]*>(.*?)</td>", row, flags=re.DOTALL) for row in rows]
    return [[html.unescape(re.sub("<[^>]*>", "", cell)) for cell in row] for row in cells][1:]


# --- nets ---


@pytest.fixture
def net():
    net = nn.HybridSequential()
    net.add(nn.Dense(16, activation="relu"), nn.Dropout(0.5), nn.Dense(3))
    net.initialize()
    return net


def test_a_net_is_printed_as_it_was_and_its_layers_stand_below(net):
    said, printed = text_of(net._repr_html_())
    assert printed == repr(net)
    assert "layers: 4 · parameters: 19, without those that the first call finds · runs eagerly" in said
    assert rows_of(net._repr_html_()) == [
        ["0", "Dense", "weight 16×?, bias 16", "?"],
        ["0.act", "Activation", "", ""],
        ["1", "Dropout", "", ""],
        ["2", "Dense", "weight 3×?, bias 3", "?"],
    ]


def test_it_says_what_has_become_of_the_net(net):
    net.hybridize()
    assert "hybridized, not yet called" in net._repr_html_()
    net(nd.ones((2, 8)))
    said, _ = text_of(net._repr_html_())
    assert "layers: 4 · parameters: 195 · hybridized, programs: 1" in said
    assert rows_of(net._repr_html_())[0] == ["0", "Dense", "weight 16×8, bias 16", "144"]
    net.hybridize(False)
    assert "runs eagerly" in net._repr_html_()
    net[0].hybridize()
    assert "hybridized in parts" in net._repr_html_()


def test_what_is_shared_counts_once():
    shared = nn.Dense(4, in_units=4)
    net = nn.HybridSequential()
    net.add(shared, shared, nn.Dense(4, in_units=4, params=shared.params))
    assert "parameters: 20 " in net._repr_html_()
    assert [row[-1] for row in rows_of(net._repr_html_())] == ["20", *["shared with a layer above"] * 2]


class Own(gluon.HybridBlock):
    """Parameters of its own, beside children, and a text of its own."""

    def __init__(self):
        super().__init__()
        self.scale = self.params.get("scale", shape=(2, 3))
        self.constant = self.params.get_constant("constant", nd.ones((2,)))
        self.child = nn.Dense(2)

    def __repr__(self):
        return "Own <of mine> & more"

    def hybrid_forward(self, F, x, scale, constant):
        raise AssertionError("nothing is run to be shown")


def test_a_text_of_ones_own_stays_and_nothing_is_run():
    said, printed = text_of(Own()._repr_html_())
    assert printed == "Own <of mine> & more" and "<of mine>" not in Own()._repr_html_()
    assert rows_of(Own()._repr_html_())[0][:3] == [".", "Own", "scale 2×3, constant 2"]
    assert "layers: 2" in said


@pytest.mark.parametrize(
    "make",
    [
        lambda: rnn.LSTM(5, num_layers=2, bidirectional=True),
        lambda: gluon.SymbolBlock(
            mx.sym.FullyConnected(mx.sym.var("x"), num_hidden=3), [mx.sym.var("x", dtype="float32")]
        ),
        lambda: gluon.nn.HybridLambda("relu"),
        lambda: gluon.loss.L2Loss(),
        lambda: gluon.model_zoo.vision.resnet18_v1(),
    ],
)
def test_every_kind_of_net_can_be_shown(make):
    net = make()
    assert text_of(net._repr_html_())[1] == repr(net).lstrip("\n")


def test_a_block_without_anything_is_its_text_alone():
    class Nothing(gluon.Block):
        pass

    assert text_of(Nothing()._repr_html_())[0].strip() == repr(Nothing())


def test_a_very_large_net_has_its_first_layers_in_the_table():
    net = nn.HybridSequential()
    net.add(*(nn.Dense(1) for _ in range(130)))
    assert len(rows_of(net._repr_html_())) == 100 and "... and others: 30" in net._repr_html_()


# --- arrays ---


@pytest.mark.parametrize("array", [nd.ones((3, 3)), np.ones(()), np.zeros((0, 5)), nd.ones((1000,)), nd.ones((5,)) > 0])
def test_an_array_whose_elements_are_all_printed_is_shown_as_before(array):
    assert array._repr_html_() is None
    bundle, _ = mimebundle(array)
    assert bundle == {"text/plain": repr(array)}


def mimebundle(thing):
    """Return what IPython would send to a notebook."""
    formatters = pytest.importorskip("IPython.core.formatters", reason="IPython is not installed")
    return formatters.DisplayFormatter().format(thing)


@pytest.mark.parametrize("of", [nd, np])
def test_a_large_array_is_printed_as_it_was_and_its_numbers_stand_below(of):
    array = of.arange(0, 2000, dtype="int32").reshape((4, 500))
    shown, _ = mimebundle(array)
    said, printed = text_of(shown["text/html"])
    assert shown["text/plain"] == repr(array) and printed == repr(array).removeprefix("\n")
    assert "4×500 int32 @cpu(0) · 8 kB · mean 999.5 · 0 ████████████████ 1999" in said


@pytest.mark.parametrize(
    ("values", "says"),
    [
        (numpy.zeros(2000), "all 0"),
        (numpy.array([True, False, False, False] * 500), "25.0% true"),
        (numpy.array([1, numpy.nan, numpy.inf, 3] * 500), "1,000 nan or infinite · mean 2 · 1 █▁▁▁▁▁▁▁▁▁▁▁▁▁▁█ 3"),
        (numpy.full(2000, numpy.nan), "2,000 nan or infinite"),
        (numpy.array([1e308, -1e308] * 1000), "mean 0 · -1e+308 █▁"),
        (numpy.array([6e4, 5e4] * 1000, "float16"), "mean 5.499e+04"),
        (numpy.array([5e-324, 0] * 1000), "0 █▁"),
        (numpy.array([-(2**63), 2**63 - 1] * 1000, "int64"), "-9.223e+18 █▁▁▁▁▁▁▁▁▁▁▁▁▁▁█ 9.223e+18"),
        (numpy.zeros((3000, 3000), "int8"), "of one element in 3: · all 0"),
    ],
)
def test_odd_numbers_have_words(values, says):
    said, _ = text_of(np.array(values, dtype=values.dtype)._repr_html_())
    assert says in said


def test_sparse_arrays_are_shown_as_before():
    assert nd.sparse.zeros("csr", (100, 100))._repr_html_() is None


def test_what_is_printed_in_whole_by_request_has_nothing_to_add():
    with numpy.printoptions(threshold=5000):
        assert nd.ones((2000,))._repr_html_() is None


def test_the_words_are_chinese_where_that_is_set(net):
    mx.config(lang="zh")
    assert "层数：4 · 参数：19 个，不含第一次调用时才能确定的 · 逐行运行" in net._repr_html_()
    assert "平均值 999.5" in str(nd.arange(2000)._repr_html_())
