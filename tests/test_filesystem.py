"""Opening files and replacing them as a whole."""

import errno
import io
import os
import pathlib
import stat
import subprocess
import sys
import tempfile
import threading
import time

import pytest

from d2lhybrid.error import MXNetError
from d2lhybrid.internals.support import filesystem
from d2lhybrid.internals.support.filesystem import (
    complete_folder,
    open_file,
    read_text,
    replace_file,
    write_stream,
    write_text,
)  # fmt: skip

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
    note = "The byte at position 1 is not UTF-8 (invalid start byte). Save the file as UTF-8."
    assert caught.value.__notes__ == [note]


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs the device /dev/full")
def test_a_failed_write_calls_only_a_regular_file_unchanged(tmp_path, monkeypatch):
    with pytest.raises(MXNetError, match="No space left") as caught:
        write_text("/dev/full", "x")
    assert caught.value.__notes__ == ["Check the free space and the permissions."]
    monkeypatch.setattr(filesystem.os, "fsync", _no_space)
    with pytest.raises(MXNetError, match="No space left") as caught:
        write_text(tmp_path / "a.txt", "x")
    assert caught.value.__notes__[0].startswith("If a file with this name exists, it is unchanged. ")


def _no_space(descriptor):
    raise OSError(errno.ENOSPC, "No space left on device")


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


NOBODY = 65534


AS_NOBODY = f"""
import os, shutil, tempfile
from d2lhybrid.internals.support import filesystem
if os.geteuid() == 0:
    os.setgroups([]), os.setgid({NOBODY}), os.setuid({NOBODY})
"""


@pytest.fixture
def public():
    """Give a folder that everybody can reach."""
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o777)
        yield pathlib.Path(folder)


def run(program, *arguments):
    """Run a program in another process."""
    return subprocess.run([sys.executable, "-c", program, *map(str, arguments)], capture_output=True, check=False)


SAVE = """
import sys
from d2lhybrid.internals.support.filesystem import write_text
write_text(sys.argv[1], "newer")
"""


@posix
@pytest.mark.parametrize("plain", [True, False], ids=["open", "replace_file"])
def test_a_file_that_may_not_be_written_is_not_replaced(public, plain):
    path = public / "a.txt"
    path.write_text("older")
    os.chmod(path, 0o444)
    done = run(AS_NOBODY + ("import sys; open(sys.argv[1], 'w').write('newer')" if plain else SAVE), path)
    assert done.returncode != 0
    assert b"Permission denied" in done.stderr
    assert path.read_text() == "older"
    assert os.listdir(public) == ["a.txt"]


@posix
def test_a_file_in_a_folder_that_takes_no_new_files_is_written_itself(public):
    path = public / "a.txt"
    path.write_text("older, and longer than the newer one")
    os.chmod(path, 0o666)
    os.chmod(public, 0o555)
    try:
        done = run(AS_NOBODY + SAVE, path)
    finally:
        os.chmod(public, 0o755)
    assert done.returncode == 0, done.stderr.decode()
    assert path.read_text() == "newer"
    assert os.listdir(public) == ["a.txt"]


@posix
@pytest.mark.skipif(os.name != "posix" or os.geteuid() != 0, reason="needs somebody else's file")
def test_somebody_elses_file_stays_theirs(public):
    path = public / "a.txt"
    path.write_text("older")
    os.chmod(path, 0o666)
    done = run(AS_NOBODY + SAVE, path)
    assert done.returncode == 0, done.stderr.decode()
    assert path.read_text() == "newer"
    assert path.stat().st_uid == 0
    assert os.listdir(public) == ["a.txt"]


@posix
@pytest.mark.skipif(os.name != "posix" or os.geteuid() != 0, reason="needs the right to give files away")
def test_the_owner_stays(tmp_path):
    path = tmp_path / "a.txt"
    path.write_text("older")
    os.chown(path, NOBODY, NOBODY)
    os.chmod(path, 0o604)
    write_text(path, "newer")
    status = path.stat()
    assert (status.st_uid, status.st_gid, stat.S_IMODE(status.st_mode)) == (NOBODY, NOBODY, 0o604)


@posix
def test_what_replaces_a_private_file_is_private_from_the_beginning(tmp_path):
    path = tmp_path / "a.txt"
    path.write_text("older")
    os.chmod(path, 0o600)
    with replace_file(path) as stream:
        stream.write(b"secret")
        stream.flush()
        assert [stat.S_IMODE(p.stat().st_mode) for p in tmp_path.iterdir()] == [0o600, 0o600]


KILLED = """
import os, sys
from d2lhybrid.internals.support.filesystem import replace_file
with replace_file(sys.argv[1]) as stream:
    stream.write(b"half")
    stream.flush()
    os._exit(9)
"""


def test_what_a_killed_program_left_goes_at_the_next_write(tmp_path):
    path = tmp_path / "a.txt"
    path.write_text("older")
    for _ in range(3):
        run(KILLED, path)
    assert path.read_text() == "older"
    assert len(os.listdir(tmp_path)) == 2, "each removes what the one before has left"
    with replace_file(tmp_path / "b.txt") as stream:
        stream.write(b"other")
        write_text(path, "newer")  # the file that is being written stays
    assert sorted(os.listdir(tmp_path)) == ["a.txt", "b.txt"]
    assert path.read_text() == "newer"


KILLED_IN_A_FOLDER = """
import os, sys
from d2lhybrid.internals.support.filesystem import complete_folder, write_text
with complete_folder(sys.argv[1]) as unfinished:
    os.mkdir(os.path.join(unfinished, "lessons"))
    write_text(os.path.join(unfinished, "lessons", "first"), "half")
    os._exit(9)
"""


def test_an_unfinished_folder_of_a_killed_program_goes_at_the_next_write(tmp_path):
    run(KILLED_IN_A_FOLDER, tmp_path / "course")
    (left,) = os.listdir(tmp_path)
    with complete_folder(tmp_path / "course") as unfinished:
        assert os.listdir(tmp_path) == [os.path.basename(unfinished)] != [left]
        write_text(tmp_path / "a.txt", "the folder that is being made stays")
        assert os.path.isdir(unfinished)
    assert os.listdir(tmp_path) == ["a.txt"]


def test_a_folder_that_was_taken_for_abandoned_is_made_again(tmp_path, monkeypatch):
    lock, found = filesystem._lock, []

    def late(descriptor):
        monkeypatch.setattr(filesystem, "_lock", lock)
        found.extend(os.listdir(tmp_path))
        filesystem.remove_abandoned(tmp_path)
        lock(descriptor)

    monkeypatch.setattr(filesystem, "_lock", late)
    with complete_folder(tmp_path / "course") as unfinished:
        assert os.listdir(tmp_path) == [os.path.basename(unfinished)] != found


@posix
@pytest.mark.parametrize(("reason", "goes"), [(errno.ENOLCK, True), (errno.EOPNOTSUPP, True), (errno.EAGAIN, False)])
def test_where_there_are_no_locks_age_decides(reason, goes, tmp_path, monkeypatch):
    run(KILLED, tmp_path / "a.txt")
    (left,) = tmp_path.iterdir()

    def no_locks(descriptor, how):
        raise OSError(reason, "no locks")

    monkeypatch.setattr(filesystem.fcntl, "flock", no_locks)
    write_text(tmp_path / "b.txt", "new")
    assert left.exists(), "it may be being written"
    long_ago = time.time() - 2 * filesystem._OLD
    os.utime(left, (long_ago, long_ago))
    write_text(tmp_path / "b.txt", "newer")
    assert left.exists() is not goes


def test_names_of_others_are_left_alone(tmp_path):
    names = [".d2lhybrid-notes.tmp", ".d2lhybrid-0123456789abcdef", "d2lhybrid-0123456789abcdef.tmp"]
    for name in names:
        (tmp_path / name).write_text("mine")
    write_text(tmp_path / "a.txt", "text")
    assert sorted(os.listdir(tmp_path)) == sorted([*names, "a.txt"])


def test_a_temporary_file_that_was_taken_for_abandoned_is_made_again(tmp_path, monkeypatch):
    lock, path = filesystem._lock, tmp_path / "a.txt"

    def late(descriptor):
        monkeypatch.setattr(filesystem, "_lock", lock)
        filesystem.remove_abandoned(tmp_path)
        lock(descriptor)

    monkeypatch.setattr(filesystem, "_lock", late)
    write_text(path, "here")
    assert path.read_text() == "here"
    assert os.listdir(tmp_path) == ["a.txt"]


@posix
def test_a_pipe_and_the_standard_output_are_written_to(tmp_path):
    done = run(SAVE, "/dev/stdout")
    assert (done.stdout, done.returncode) == (b"newer", 0), done.stderr.decode()
    with open(tmp_path / "out.txt", "w+b") as out:
        program = "import sys; print('first', flush=True)" + SAVE + "print('last')"
        subprocess.run([sys.executable, "-c", program, "/dev/stdout"], stdout=out, check=True)
        assert os.fstat(out.fileno()).st_nlink == 1, "another file has taken the place of the one that is open"
    assert "newer" in (tmp_path / "out.txt").read_text()
    os.mkfifo(tmp_path / "pipe")
    got = []
    reader = threading.Thread(target=lambda: got.append((tmp_path / "pipe").read_bytes()))
    reader.start()
    write_text(tmp_path / "pipe", "through")
    reader.join(10)
    assert got == [b"through"]


def test_an_error_of_a_source_is_raised_as_it_is(tmp_path):
    class Broken(io.BytesIO):
        def read(self, size=-1):
            return super().read(3) or self.fail()

        def fail(self):
            raise TimeoutError("timed out")

    with pytest.raises(TimeoutError):
        write_stream(tmp_path / "a.txt", Broken(b"abcdef"))
    write_stream(tmp_path / "a.txt", io.BytesIO(b"abc"))
    assert (tmp_path / "a.txt").read_bytes() == b"abc"
    assert os.listdir(tmp_path) == ["a.txt"]
