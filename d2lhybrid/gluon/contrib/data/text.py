"""Data sets of texts for language models, read from local files."""

from __future__ import annotations

import os
import zipfile
from collections import Counter

from d2lhybrid.contrib.text.utils import count_tokens_from_str
from d2lhybrid.contrib.text.vocab import Vocabulary
from d2lhybrid.internals.support.data_folder import data_dir
from d2lhybrid.ndarray import NDArray, array

from ...data import Dataset

__all__ = ["WikiText2", "WikiText103"]

_END = "<eos>"
_PARTS = {"train": "train", "validation": "valid", "test": "test"}


class _WikiText(Dataset):
    """A data set of pairs: a word sequence, and that sequence shifted by one word. An end token ends each sentence."""

    #: Folder below ``data_dir()/datasets``. The archive has the same name.
    folder: str

    def __init__(
        self, root: str | None = None, segment: str = "train", vocab: Vocabulary | None = None, seq_len: int = 35
    ) -> None:
        if segment not in _PARTS:
            raise KeyError(segment)
        self._root = os.path.expanduser(root or os.path.join(data_dir(), "datasets", self.folder))
        text = self._read(f"wiki.{_PARTS[segment]}.tokens")
        self._counter: Counter[str] | None = None
        if vocab is None:
            self._counter = count_tokens_from_str(text)
            vocab = Vocabulary(counter=self._counter, reserved_tokens=[_END])
        self._vocab = vocab
        words = [word for line in text.splitlines() if line.split() for word in (*line.split(), _END)]
        numbers = vocab.to_indices(words)
        count = (len(numbers) - 1) // seq_len * seq_len
        self._data = array(numbers[:count], dtype="int32").reshape((-1, seq_len))
        self._label = array(numbers[1 : count + 1], dtype="int32").reshape((-1, seq_len))

    def _read(self, name: str) -> str:
        path, archive = os.path.join(self._root, name), os.path.join(self._root, f"{self.folder}-v1.zip")
        if os.path.isfile(path):
            with open(path, encoding="utf-8") as file:
                return file.read()
        if os.path.isfile(archive):
            with zipfile.ZipFile(archive) as files:
                for member in files.namelist():
                    if member.rsplit("/", 1)[-1] == name:
                        return files.read(member).decode("utf-8")
        error = FileNotFoundError(f"{type(self).__name__} is not in {self._root!r}: {name} not found")
        error.add_note(
            f"d2lhybrid does not download data sets. Put {name} or {self.folder}-v1.zip into this folder, or pass "
            "another root."
        )
        raise error

    @property
    def vocabulary(self) -> Vocabulary:
        """The mapping between words and their indices."""
        return self._vocab

    @property
    def frequencies(self) -> Counter[str] | None:
        """The frequency of each word, or None if a vocabulary was passed."""
        return self._counter

    def __getitem__(self, idx: int) -> tuple[NDArray, NDArray]:
        return self._data[idx], self._label[idx]

    def __len__(self) -> int:
        return len(self._label)


class WikiText2(_WikiText):
    r"""A data set of two million words from Wikipedia, for language models.

    Each item is a pair of arrays: the indices of consecutive words, and the indices of their next words.

    Parameters
    ----------
    root : str, optional
        Folder of ``wiki.train.tokens``, ``wiki.valid.tokens``, and ``wiki.test.tokens``, or of the archive that
        contains them.
    segment : str
        ``"train"``, ``"validation"``, or ``"test"``.
    vocab : Vocabulary, optional
        Vocabulary; by default the vocabulary of the text.
    seq_len : int
        Number of words in a sequence.

    Raises
    ------
    FileNotFoundError
        If neither the file nor the archive exists.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> folder = tempfile.mkdtemp()
    >>> _ = pathlib.Path(folder, "wiki.train.tokens").write_text("a b a\nb c\n")
    >>> words = WikiText2(folder, seq_len=3)
    >>> len(words), words[0][0].asnumpy().tolist(), words[0][1].asnumpy().tolist()
    (2, [2, 3, 2], [3, 2, 1])
    """

    folder = "wikitext-2"


class WikiText103(_WikiText):
    """A data set of a hundred million words from Wikipedia. Its items have the form of :class:`WikiText2`'s items.

    Parameters
    ----------
    root : str, optional
        Folder of ``wiki.train.tokens``, ``wiki.valid.tokens``, and ``wiki.test.tokens``, or of the archive that
        contains them.
    segment : str
        ``"train"``, ``"validation"``, or ``"test"``.
    vocab : Vocabulary, optional
        Vocabulary; by default the vocabulary of the text.
    seq_len : int
        Number of words in a sequence.

    Raises
    ------
    FileNotFoundError
        If neither the file nor the archive exists.

    Examples
    --------
    >>> WikiText103("texts", "test", seq_len=20)  # doctest: +SKIP
    """

    folder = "wikitext-103"
