"""Opening files and replacing them as a whole."""

import os
import stat

import pytest

from d2lhybrid.errors import MXNetError
from d2lhybrid.filesystem import open_file, read_text, replace_file, write_text

posix = pytest.mark.skipif(os.name != "posix", reason="needs a POSIX system")


def test_round_trip(tmp_path):
    path = tmp_path / "a.txt"
    write_text(path, "first é\r\n\n")
    write_text(path, "second 权重\r\n\n")
    assert path.read_bytes() == "second 权重\r\n\n".encode()
    assert read_text(path) == "second 权重\r\n\n"
    with open_file(path) as (stream, size):
        assert len(stream.read()) == size
    assert os.listdir(tmp_path) == ["a.txt"]


@pytest.mark.parametrize("error", [ValueError("in the middle"), KeyboardInterrupt(), MXNetError("no")])
def test_older_file_survives_an_error(tmp_path, error):
    path = tmp_path / "a.txt"
    path.write_text("older")
    with pytest.raises(type(error)), replace_file(path) as stream:
        stream.write(b"half of the new")
        raise error
    assert path.read_text() == "older"
    assert os.listdir(tmp_path) == ["a.txt"]


def test_full_disk(tmp_path):
    path = tmp_path / "a.txt"
    path.write_text("older")
    with pytest.raises(MXNetError, match="No space left") as caught, replace_file(path) as stream:
        stream.write(b"half of the new")
        raise OSError(28, "No space left on device")
    assert "unchanged" in caught.value.__notes__[0]
    assert path.read_text() == "older"
    assert os.listdir(tmp_path) == ["a.txt"]


def test_readers_see_the_old_file_until_the_end(tmp_path):
    path = tmp_path / "a.txt"
    path.write_text("older")
    with replace_file(path) as stream:
        stream.write(b"newer")
        stream.flush()
        assert path.read_text() == "older"
    assert path.read_text() == "newer"


@pytest.mark.parametrize("path", ["", "no/such/folder/x.params", "a\0b"])
def test_errors_of_opening(path, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for use in (open_file, replace_file):
        with pytest.raises(MXNetError, match="LocalFileSystem: Check failed: allow_null: :Open "), use(path):
            pass


def test_folder_is_no_file(tmp_path):
    for use in (open_file, replace_file):
        with pytest.raises(MXNetError, match='": Is a directory'), use(tmp_path):
            pass


def test_text_must_be_utf8(tmp_path):
    (tmp_path / "a.json").write_bytes(b"{\xff")
    with pytest.raises(MXNetError, match="is not a text file") as caught:
        read_text(tmp_path / "a.json")
    assert caught.value.__notes__ == ["Byte 1 is not UTF-8 text (invalid start byte)."]


@posix
def test_pipe_does_not_block(tmp_path):
    path = tmp_path / "pipe"
    os.mkfifo(path)
    with pytest.raises(MXNetError, match="Not a regular file"), open_file(path):
        pass


@posix
def test_permissions_and_links(tmp_path):
    path = tmp_path / "a.txt"
    write_text(path, "x")
    assert not path.stat().st_mode & stat.S_IXUSR  # As for any new file, the umask decides.
    other = tmp_path / "b.txt"
    other.write_text("y")
    assert path.stat().st_mode == other.stat().st_mode
    os.chmod(path, 0o640)
    link = tmp_path / "link"
    link.symlink_to(path)
    write_text(link, "z")
    assert link.is_symlink() and path.read_text() == "z"
    assert stat.S_IMODE(path.stat().st_mode) == 0o640


@posix
def test_device_is_written_directly():
    write_text(os.devnull, "into nothing")
    assert stat.S_ISCHR(os.stat(os.devnull).st_mode)
