"""gluon.utils: splitting batches, clipping, hooks, downloads."""

import hashlib
import http.server
import re
import threading

import numpy
import pytest

import d2lhybrid as mx
from d2lhybrid import gluon, nd
from d2lhybrid.gluon import nn, utils

CPUS = [mx.cpu(0), mx.cpu(1)]


def shapes(arrays):
    return [a.shape for a in arrays]


def test_split_data():
    x = nd.arange(6).reshape((3, 2))
    assert [p.asnumpy().tolist() for p in utils.split_data(x, 3)] == [[[0, 1]], [[2, 3]], [[4, 5]]]
    assert shapes(utils.split_data(x, 2, batch_axis=1)) == [(3, 1), (3, 1)]
    message = (
        "data with shape (3, 2) cannot be evenly split into 2 slices along axis 0. Use a batch size that's "
        "multiple "
        "of 2 or set even_split=False to allow uneven partitioning of data."
    )
    with pytest.raises(ValueError, match=re.escape(message)):
        utils.split_data(x, 2)
    assert shapes(utils.split_data(x, 2, even_split=False)) == [(2, 2), (1, 2)]
    assert shapes(utils.split_data(nd.ones((8, 3)), 3, even_split=False)) == [(3, 3), (3, 3), (2, 3)]
    assert shapes(utils.split_data(nd.ones((2, 7)), 3, 1, even_split=False)) == [(2, 3), (2, 2), (2, 2)]
    assert shapes(utils.split_data(numpy.ones((4, 1)), 2)) == [(2, 1), (2, 1)]


def test_split_and_load():
    parts = utils.split_and_load(nd.ones((4, 2)), CPUS)
    assert shapes(parts) == [(2, 2), (2, 2)] and [p.context for p in parts] == CPUS
    parts = utils.split_and_load([[1, 2], [3, 4]], CPUS)
    assert [p.asnumpy().tolist() for p in parts] == [[[1, 2]], [[3, 4]]]
    (part,) = utils.split_and_load(numpy.arange(6).reshape(3, 2), CPUS[1:])
    assert part.context == mx.cpu(1) and part.dtype is numpy.float32
    assert shapes(utils.split_and_load(nd.ones((3, 2)), CPUS, even_split=False)) == [(2, 2), (1, 2)]


def test_clip_global_norm():
    arrays = [nd.ones((2, 2)) * 3, nd.ones((1,), ctx=mx.cpu(1)) * 8]
    assert utils.clip_global_norm(arrays, 1.0) == 10.0
    numpy.testing.assert_allclose(arrays[0].asnumpy(), [[0.3, 0.3]] * 2, rtol=1e-6)
    numpy.testing.assert_allclose(arrays[1].asnumpy(), [0.8], rtol=1e-6)
    norm = utils.clip_global_norm(arrays, 10.0, check_isfinite=False)
    assert norm.shape == (1,) and abs(norm.asscalar() - 1) < 1e-6
    numpy.testing.assert_allclose(arrays[1].asnumpy(), [0.8], rtol=1e-6)
    with pytest.warns(UserWarning, match=r"nan or inf is detected. Clipping results will be undefined."):
        utils.clip_global_norm([nd.array([numpy.nan])], 1)
    with pytest.raises(AssertionError):
        utils.clip_global_norm([], 1)
    half = nd.ones((3,), dtype="float16") * 300
    utils.clip_global_norm([half], 1.0)
    assert half.dtype is numpy.float16
    numpy.testing.assert_allclose(half.asnumpy(), numpy.sqrt([1 / 3] * 3), rtol=1e-3)


def test_shape_is_known():
    assert [utils.shape_is_known(s) for s in ((2, 3), (2, 0), (), None)] == [True, False, False, False]
    with pytest.raises(AssertionError, match="shape dimension size cannot be less than 0, while received -1"):
        utils.shape_is_known((2, -1))
    with mx.util.np_shape():
        assert [utils.shape_is_known(s) for s in ((2, 0), (2, -1), (), None)] == [True, False, True, False]


def test_hooks():
    net = nn.Dense(1, in_units=1)
    net.initialize()
    calls = []
    with net.register_forward_pre_hook(lambda block, inputs: calls.append("before")):
        handle = net.register_forward_hook(lambda block, inputs, output: calls.append("after"))
        net(nd.ones((1, 1)))
    net(nd.ones((1, 1)))
    handle.detach()
    handle.detach()
    net(nd.ones((1, 1)))
    assert calls == ["before", "after", "after"]
    with pytest.raises(AssertionError, match="attached twice"):
        handle.attach({}, print)


def test_lists_in_messages():
    assert utils._brief_print_list(["a", "b"]) == "'a', 'b'"
    assert utils._brief_print_list(list("abcdefgh")) == "'a', 'b', 'c', ..., 'e', 'f', 'g', 'h'"
    assert utils._indent("a\nb", 2) == "a\n  b"


# Downloads ---------------------------------------------------------------------------------------------


@pytest.fixture
def server(tmp_path, monkeypatch):
    """A web server for one folder, while the test runs in another."""
    served, own = tmp_path / "served", tmp_path / "own"
    served.mkdir()
    own.mkdir()
    monkeypatch.chdir(own)

    class Handler(http.server.SimpleHTTPRequestHandler):
        def __init__(self, *args):
            super().__init__(*args, directory=str(served))

        def log_message(self, *args):
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as running:
        thread = threading.Thread(target=running.serve_forever)
        thread.start()
        (served / "x.txt").write_bytes(b"hello")
        yield f"http://127.0.0.1:{running.server_port}", served, own
        running.shutdown()
        thread.join()


def test_download(server):
    address, served, own = server
    digest = hashlib.sha1(b"hello").hexdigest()
    assert gluon.utils.download(f"{address}/x.txt") == "x.txt"
    assert (own / "x.txt").read_bytes() == b"hello"
    assert utils.check_sha1("x.txt", digest) and not utils.check_sha1("x.txt", digest[:10])
    (served / "x.txt").write_bytes(b"other")
    utils.download(f"{address}/x.txt", sha1_hash=digest)
    assert (own / "x.txt").read_bytes() == b"hello", "it is there, with the right hash"
    path = utils.download(f"{address}/x.txt", path=str(own / "new" / "y.txt"))
    assert (own / "new" / "y.txt").read_bytes() == b"other" and path.endswith("y.txt")
    utils.download(f"{address}/x.txt", overwrite=True)
    assert (own / "x.txt").read_bytes() == b"other"
    with pytest.raises(UserWarning, match="the content hash does not match"):
        utils.download(f"{address}/x.txt", overwrite=True, sha1_hash=digest, retries=0)
    assert sorted(p.name for p in own.iterdir()) == ["new"], "a file with a wrong hash does not stay"


def test_download_failures(server, capsys):
    address, _, own = server
    with pytest.raises(ConnectionError, match=r"cannot download .*/none.txt: File not found") as caught:
        utils.download(f"{address}/none.txt", retries=1)
    assert "copy the file to" in caught.value.__notes__[0]
    assert capsys.readouterr().out.count("Downloading none.txt") == 2
    with pytest.raises(ConnectionError, match="cannot download"):
        utils.download("http://127.0.0.1:9/x.txt", retries=0)
    with pytest.raises(AssertionError, match="Can't construct file-name from this URL"):
        utils.download(f"{address}/")
    with pytest.raises(AssertionError, match="Number of retries should be at least 0, currently it's -1"):
        utils.download(f"{address}/x.txt", retries=-1)
    with pytest.raises(ValueError, match="only http, https, and ftp"):
        utils.download("file:///etc/hostname")
    assert not list(own.iterdir())
