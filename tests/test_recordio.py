"""Record files: MXNet's bytes, damaged ones, copies of readers, images in records."""

import multiprocessing
import os
import pickle
from pathlib import Path

import numpy
import pytest
from hypothesis import given
from hypothesis import strategies as st

import d2lhybrid as mx
from d2lhybrid import recordio

from .interop import record_files

KEPT = Path(__file__).parent / "golden_data" / "records"


def _paths(folder):
    return str(folder / "some.idx"), str(folder / "some.rec")


def test_files_are_mxnets_to_the_byte(tmp_path):
    record_files.write(mx, tmp_path)
    names = sorted(path.name for path in KEPT.iterdir())
    assert names == sorted(path.name for path in tmp_path.iterdir())
    for name in names:
        assert (tmp_path / name).read_bytes() == (KEPT / name).read_bytes()


def test_mxnets_files_are_read():
    found = record_files.read(mx, str(KEPT))
    assert found["in order"] == [content.hex() for content in record_files.CONTENTS]
    assert found["keys"][1] == found["in order"][::-1]
    assert found["end"] is None
    assert found["packed"][2] == [2, [1.0, 2.5], 1, 2, b"pixels".hex()]


word = st.sampled_from([record_files.MARK, b"\0", b"abcd", record_files.MARK[:2]])


@given(st.lists(st.lists(word, max_size=8).map(b"".join), max_size=5))
def test_records_come_back_whatever_is_in_them(tmp_path_factory, contents):
    path = str(tmp_path_factory.mktemp("records") / "some.rec")
    writer = recordio.MXRecordIO(path, "w")
    for content in contents:
        writer.write(content)
    writer.close()
    assert Path(path).stat().st_size % 4 == 0
    reader = recordio.MXRecordIO(path, "r")
    assert [reader.read() for _ in contents] == contents
    assert reader.read() is None
    reader.reset()
    assert reader.read() == (contents[0] if contents else None)
    reader.close()


@given(st.integers(0, 10**4), st.integers(0, 255), st.booleans())
def test_damaged_files_end_in_one_kind_of_error(tmp_path_factory, position, value, cut):
    content = bytearray((KEPT / "some.rec").read_bytes())
    position %= len(content)
    content = content[:position] if cut else content[:position] + bytes([value]) + content[position + 1 :]
    path = tmp_path_factory.mktemp("records") / "some.rec"
    path.write_bytes(content)
    reader = recordio.MXRecordIO(str(path), "r")
    try:
        while reader.read() is not None:
            pass
    except mx.MXNetError as error:
        assert "some.rec" in error.__notes__[0]
    finally:
        reader.close()


def test_a_length_that_is_not_there_takes_no_memory(tmp_path):
    path = tmp_path / "some.rec"
    path.write_bytes(record_files.MARK + (2**29 - 1).to_bytes(4, "little") + b"little")
    reader = recordio.MXRecordIO(str(path), "r")
    import tracemalloc

    tracemalloc.start()
    with pytest.raises(mx.MXNetError, match="ends in the middle of a record"):
        reader.read()
    assert tracemalloc.get_traced_memory()[1] < 2**22
    tracemalloc.stop()
    reader.close()


def test_a_reader_can_be_pickled_and_begins_anew(tmp_path):
    record_files.write(mx, tmp_path)
    reader = recordio.MXIndexedRecordIO(*_paths(tmp_path), "r")
    reader.read()
    copy = pickle.loads(pickle.dumps(reader))
    assert copy.read() == record_files.CONTENTS[0]
    assert copy.read_idx(6) == record_files.CONTENTS[2]
    assert reader.read() == record_files.CONTENTS[1]  # goes on
    reader.close()
    copy.close()
    assert not pickle.loads(pickle.dumps(reader)).is_open


def test_an_open_writer_is_not_copied_and_loses_nothing(tmp_path):
    writer = recordio.MXRecordIO(str(tmp_path / "some.rec"), "w")
    writer.write(b"kept")
    with pytest.raises(mx.MXNetError, match="cannot be copied or pickled"):
        pickle.dumps(writer)
    writer.close()
    reader = recordio.MXRecordIO(str(tmp_path / "some.rec"), "r")
    assert reader.read() == b"kept"
    reader.close()


def _other_process(reader, queue):
    try:
        queue.put(reader.read())
    except RuntimeError as error:
        queue.put((str(error), error.__notes__))
    queue.put(reader.read_idx(6))


@pytest.mark.skipif("fork" not in multiprocessing.get_all_start_methods(), reason="processes are not forked here")
@pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")
def test_a_forked_process_opens_the_file_again(tmp_path):
    record_files.write(mx, tmp_path)
    reader = recordio.MXIndexedRecordIO(*_paths(tmp_path), "r")
    context = multiprocessing.get_context("fork")
    queue = context.Queue()
    process = context.Process(target=_other_process, args=(reader, queue))
    process.start()
    opened = f"Process {os.getpid()} opened the record file {reader.uri!r}. "
    remedy = "Call reset() in this process first, which goes to the beginning of the file."
    assert queue.get() == ("Forbidden operation in multiple processes", [opened + remedy])
    assert queue.get() == record_files.CONTENTS[2]
    process.join()
    assert reader.read() == record_files.CONTENTS[0]
    reader.close()
    queue.close()
    queue.join_thread()


def test_errors_say_what_is_wrong(tmp_path):
    record_files.write(mx, tmp_path)
    index, records = _paths(tmp_path)
    with pytest.raises(mx.MXNetError, match="No such file"):
        recordio.MXRecordIO(str(tmp_path / "absent.rec"), "r")
    with pytest.raises(ValueError, match="Invalid flag a"):
        recordio.MXRecordIO(records, "a")
    with pytest.raises(mx.MXNetError, match=r"absent\.idx"):
        recordio.MXIndexedRecordIO(str(tmp_path / "absent.idx"), records, "r")
    reader = recordio.MXIndexedRecordIO(index, records, "r")
    with pytest.raises(KeyError, match="1") as caught:
        reader.read_idx(1)
    assert "is not among them" in caught.value.__notes__[0]
    with pytest.raises(AssertionError, match=r"cannot write to .*: the file was opened for reading, with flag='r'"):
        reader.write(b"x")
    reader.close()
    reader.close()
    with pytest.raises(mx.MXNetError, match="is closed") as caught:
        reader.read()
    assert caught.value.__notes__ == ["Call open() first."]
    writer = recordio.MXRecordIO(str(tmp_path / "written.rec"), "w")
    writer.close()
    with pytest.raises(mx.MXNetError, match="is closed") as caught:
        writer.write(b"x")
    assert "open() empties the file" in caught.value.__notes__[0]
    Path(index).write_text("0\t0\n3 8\n")
    with pytest.raises(mx.MXNetError, match="line 2 of the index file"):
        recordio.MXIndexedRecordIO(index, records, "r")
    for position in (1 << 40, 1 << 62, (1 << 63) - 1, 1 << 63, 10**40):  # a file may have some of them, and none does
        Path(index).write_text(f"0\t{position}\n")
        reader = recordio.MXIndexedRecordIO(index, records, "r")
        with pytest.raises(mx.MXNetError, match=r"position \d+ is invalid|at the end of the record file"):
            reader.read_idx(0)
        reader.close()
    writer = recordio.MXRecordIO(str(tmp_path / "new.rec"), "w")
    with pytest.raises(TypeError, match="must be bytes, not str"):
        writer.write("text")
    with pytest.raises(AssertionError, match=r"cannot read .*: the file was opened for writing, with flag='w'"):
        writer.read()
    writer.close()
    with pytest.raises(mx.MXNetError, match="at least 24 bytes, but this record has 3"):
        recordio.unpack(b"abc")
    with pytest.raises(mx.MXNetError, match="the label requires 12 bytes"):
        recordio.unpack(recordio.pack((0, [1, 2, 3], 0, 0), b"")[:-1])
    with pytest.raises(mx.MXNetError, match="cannot be written"):
        recordio.pack((0, 1.0, -1, 0), b"")


def test_images_in_records_are_blue_first():
    pytest.importorskip("PIL", reason="images are written with Pillow")
    pixels = numpy.zeros((4, 6, 3), "uint8")
    pixels[..., 0] = 200
    header, found = recordio.unpack_img(recordio.pack_img((0, 3.0, 1, 0), pixels, 9, ".png"))
    assert header == recordio.IRHeader(0, 3.0, 1, 0)
    numpy.testing.assert_array_equal(found, pixels)
    _, data = recordio.unpack(recordio.pack_img((0, 3.0, 1, 0), pixels, img_fmt=".png"))
    assert mx.image.imdecode(data)[0, 0].asnumpy().tolist() == [0, 0, 200]
    _, grey = recordio.unpack_img(recordio.pack_img((0, 3.0, 1, 0), pixels[..., 0], img_fmt=".png"))
    numpy.testing.assert_array_equal(grey, pixels[..., 0])
    assert recordio.unpack_img(recordio.pack_img((0, 3.0, 1, 0), pixels), 0)[1].shape == (4, 6)
    transparent = numpy.concatenate([pixels, pixels[..., :1]], axis=2)
    _, found = recordio.unpack_img(recordio.pack_img((0, 3.0, 1, 0), transparent, 9, ".png"))
    numpy.testing.assert_array_equal(found, transparent)
