"""Tar archives are unpacked into their folder and nowhere else: with Python's filters, and on Pythons without them."""

from __future__ import annotations

import io
import os
import tarfile
from pathlib import Path

import pytest

from d2lhybrid import d2l
from d2lhybrid.internals.support.archives import unpack_tar

FILE, LINK, HARD_LINK = tarfile.REGTYPE, tarfile.SYMTYPE, tarfile.LNKTYPE
FOLDER, DEVICE = tarfile.DIRTYPE, tarfile.CHRTYPE


@pytest.fixture(params=["with the filters of this Python", "without"], autouse=True)
def filters(request, monkeypatch):
    if request.param == "without":
        monkeypatch.delattr(tarfile, "data_filter", raising=False)


def member(name: str, kind: bytes = FILE, link: str = "", mode: int = 0o644) -> tarfile.TarInfo:
    info = tarfile.TarInfo(name)
    info.type, info.linkname, info.mode, info.mtime = kind, link, mode, 1_000_000_000
    return info


def archive_of(*members: tarfile.TarInfo) -> tarfile.TarFile:
    """Return an archive in which every file holds its own name."""
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w:gz") as archive:
        for info in members:
            content = info.name.encode() if info.type == FILE else b""
            info.size = len(content)
            archive.addfile(info, io.BytesIO(content))
    return tarfile.open(fileobj=io.BytesIO(stream.getvalue()))


def written(folder: Path) -> dict[str, str]:
    return {str(path.relative_to(folder)): path.read_text() for path in folder.rglob("*") if path.is_file()}


def test_files_folders_and_links_to_files_are_unpacked(tmp_path):
    with archive_of(
        member("data", FOLDER, mode=0o755),
        member("data/a.txt"),
        member("data/b/run.sh", mode=0o755),
        member("data/c.txt", HARD_LINK, "data/a.txt"),
        member("data/d.txt", LINK, "b/run.sh"),
    ) as archive:
        unpack_tar(archive, tmp_path)
    contents = {"data/a.txt": "data/a.txt", "data/b/run.sh": "data/b/run.sh"}
    assert written(tmp_path) == {**contents, "data/c.txt": "data/a.txt", "data/d.txt": "data/b/run.sh"}
    assert os.access(tmp_path / "data/b/run.sh", os.X_OK) and not os.stat(tmp_path / "data/a.txt").st_mode & 0o111
    assert os.stat(tmp_path / "data/a.txt").st_mtime == 1_000_000_000


def test_an_absolute_path_is_taken_from_the_folder_on(tmp_path):
    with archive_of(member("/etc/words.txt")) as archive:
        unpack_tar(archive, tmp_path)
    assert written(tmp_path) == {"etc/words.txt": "/etc/words.txt"}


@pytest.mark.parametrize(
    "members",
    [
        [member("../outside.txt")],
        [member("a/../../outside.txt")],
        [member("a", LINK, ".."), member("a/outside.txt")],
        [member("a", LINK, "/"), member("a/tmp/outside.txt")],
        [member("a", LINK, "../secret.txt")],
        [member("a", HARD_LINK, "../secret.txt")],
        [member("tty", DEVICE)],
    ],
    ids=lambda members: " ".join(f"{info.name}>{info.linkname}" for info in members),
)
def test_nothing_lands_outside_the_folder_or_comes_from_there(tmp_path, members):
    (tmp_path / "secret.txt").write_text("secret")
    (tmp_path / "inside").mkdir()
    with archive_of(*members) as archive, pytest.raises(ValueError):
        unpack_tar(archive, tmp_path / "inside")
    assert written(tmp_path) == {"secret.txt": "secret"}


def test_a_link_that_was_in_the_folder_before_leads_nothing_out(tmp_path):
    (tmp_path / "inside").mkdir()
    (tmp_path / "inside" / "a").symlink_to(tmp_path)
    with archive_of(member("a/outside.txt")) as archive, pytest.raises(ValueError, match="outside the destination"):
        unpack_tar(archive, tmp_path / "inside")
    assert written(tmp_path) == {}


def test_d2l_unpacks_archives_and_names_the_one_that_it_refuses(tmp_path):
    for name, inner in (("good.tar.gz", "words/a.txt"), ("bad.tar", "../a.txt")):
        with tarfile.open(tmp_path / name, "w:gz" if name.endswith("gz") else "w") as archive:
            archive.addfile(member(inner), io.BytesIO())
    d2l.extract(str(tmp_path / "good.tar.gz"))
    assert (tmp_path / "words" / "a.txt").exists()
    with pytest.raises(ValueError, match=r"bad\.tar' cannot be unpacked: '\.\./a\.txt' would be extracted to"):
        d2l.extract(str(tmp_path / "bad.tar"), str(tmp_path / "words"))
