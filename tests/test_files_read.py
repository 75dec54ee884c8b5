"""Files of a net and who has read them: the picture opens the files and compares the results."""

from __future__ import annotations

import numpy

import d2lhybrid as mx
from d2lhybrid import nd
from d2lhybrid.gluon import nn
from d2lhybrid.internals.pictures.files_read import FilesRead


def made(folder):
    net = nn.Dense(3, in_units=4, prefix="net_")
    net.initialize()
    net.hybridize()
    y = net(nd.ones((2, 4)))
    net.export(str(folder / "net"))
    return sorted(folder.glob("net*")), y.asnumpy()


def test_files_are_opened_and_results_compared(tmp_path):
    files, y = made(tmp_path)
    names = [file.name for file in files]
    picture = FilesRead(files, {"the same": (names, y, y), "near": (names, y + 1e-6, y), "far": (names[:1], y + 1, y)})
    sizes = {name: f"{size:,} bytes" for name, size in ((f.name, f.stat().st_size) for f in files)}
    assert picture.rows == [
        ("net-0000.params", sizes["net-0000.params"], "2 arrays, 15 numbers"),
        ("net-symbol.json", sizes["net-symbol.json"], "a graph: 1 operator, 3 variables"),
    ]
    assert [same for *_, same in picture.verdicts] == [True, True, False]
    text, page = picture.to_text(), picture.to_html()
    assert "the same <- net-0000.params, net-symbol.json: It returns the same 6 numbers." in text
    assert all(name in page for name in (*names, "the same", "near", "far")) and "<script" not in page


def test_a_result_of_another_shape_is_not_the_same_and_the_words_are_translated(tmp_path):
    files, y = made(tmp_path)
    (verdict,) = FilesRead(files, {"cut": ([], y[:1], y)}).verdicts
    assert verdict[2:] == ("It returns an array of shape (1, 3), not (2, 3).", False)
    with mx.config(lang="zh"):
        picture = FilesRead(files, {"a": ([], numpy.zeros(0), numpy.zeros(0))})
        assert "读取文件的程序" in picture.to_html() and "1 个算子" in picture.to_text()
