"""Vectors for words, read from text files that are already there."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

import numpy

from ... import ndarray as nd
from ...gluon.data.vision.datasets import data_dir
from ...support.absent import refusing
from .vocab import Vocabulary

__all__ = ["CustomEmbedding", "FastText", "GloVe", "TokenEmbedding", "create"]


class TokenEmbedding(Vocabulary):
    """A vocabulary with a vector for each token.

    Parameters
    ----------
    path : str
        A text file; each line is a token and the numbers of its vector.
    elem_delim : str
        What stands between them.
    encoding : str
        Of the file.
    init_unknown_vec : callable
        From a shape to the vector of unknown tokens, where the file has none.
    vocabulary : Vocabulary, optional
        Which tokens to take; by default, all of the file.
    unknown_token : str
        What stands for all others.

    Raises
    ------
    FileNotFoundError
        If the file is not there.
    ValueError
        If a vector is not as long as the first one.
    """

    def __init__(
        self,
        path: str,
        elem_delim: str = " ",
        encoding: str = "utf8",
        init_unknown_vec: Callable[..., Any] = nd.zeros,
        vocabulary: Vocabulary | None = None,
        unknown_token: str = "<unk>",
    ) -> None:
        vectors = _read(path, elem_delim, encoding)
        length = len(next(iter(vectors.values()), ()))
        unknown = vectors.pop(unknown_token, None)
        super().__init__(unknown_token=unknown_token)
        tokens = list(vectors) if vocabulary is None else vocabulary.idx_to_token[1:]
        self._idx_to_token += tokens
        self._token_to_idx = {token: i for i, token in enumerate(self._idx_to_token)}
        first = init_unknown_vec(shape=length).asnumpy() if unknown is None else unknown
        self._idx_to_vec = nd.array(numpy.array([first, *(vectors.get(token, first) for token in tokens)], "float32"))

    @property
    def vec_len(self) -> int:
        """How long a vector is."""
        return self._idx_to_vec.shape[1]

    @property
    def idx_to_vec(self) -> Any:
        """The vectors in the order of the tokens."""
        return self._idx_to_vec

    def get_vecs_by_tokens(self, tokens: Any, lower_case_backup: bool = False) -> Any:
        """Return the vector of a token, or those of a list.

        Parameters
        ----------
        tokens : str or list of str
            Which.
        lower_case_backup : bool
            Look unknown tokens up in small letters, too.

        Returns
        -------
        NDArray
            Of shape ``(vec_len,)``, or ``(len(tokens), vec_len)``.
        """
        several = tokens if isinstance(tokens, list) else [tokens]
        places = [self._token_to_idx.get(token, 0) for token in several]
        if lower_case_backup:
            places = [i or self._token_to_idx.get(token.lower(), 0) for i, token in zip(places, several, strict=True)]
        found = self._idx_to_vec[nd.array(places, dtype="int64")]
        return found if isinstance(tokens, list) else found[0]

    def update_token_vectors(self, tokens: Any, new_vectors: Any) -> None:
        """Give tokens new vectors.

        Raises
        ------
        ValueError
            If a token is not in the vocabulary; the unknown token can be named.
        """
        for token, vector in zip(
            tokens if isinstance(tokens, list) else [tokens], new_vectors.reshape((-1, self.vec_len)), strict=True
        ):
            if token not in self._token_to_idx:
                raise ValueError(f"Token {token} is unknown: it has no vector to be updated.")
            self._idx_to_vec[self._token_to_idx[token]] = vector


class CustomEmbedding(TokenEmbedding):
    """Vectors from a file of one's own.

    Parameters
    ----------
    pretrained_file_path : str
        The file.
    elem_delim, encoding, init_unknown_vec, vocabulary, unknown_token
        As for :class:`TokenEmbedding`.
    """

    def __init__(self, pretrained_file_path: str, *args: Any, **kwargs: Any) -> None:
        super().__init__(pretrained_file_path, *args, **kwargs)


class _Pretrained(TokenEmbedding):
    """Vectors that others have made, from their file in ``~/.mxnet/embeddings``."""

    folder: str
    default: str

    def __init__(self, pretrained_file_name: str = "", embedding_root: str = "", **kwargs: Any) -> None:
        root = os.path.expanduser(embedding_root or os.path.join(data_dir(), "embeddings"))
        super().__init__(os.path.join(root, self.folder, pretrained_file_name or self.default), **kwargs)


class GloVe(_Pretrained):
    """Vectors of GloVe, from ``~/.mxnet/embeddings/glove``."""

    folder, default = "glove", "glove.840B.300d.txt"


class FastText(_Pretrained):
    """Vectors of fastText, from ``~/.mxnet/embeddings/fasttext``."""

    folder, default = "fasttext", "wiki.simple.vec"


def create(embedding_name: str, **kwargs: Any) -> TokenEmbedding:
    """Return vectors by the name of their makers, ``glove`` or ``fasttext``.

    Raises
    ------
    KeyError
        If there are none of that name.
    """
    kinds = {"glove": GloVe, "fasttext": FastText}
    if embedding_name.lower() not in kinds:
        raise KeyError(f"Cannot find `embedding_name` {embedding_name}. Valid ones are {', '.join(kinds)}")
    return kinds[embedding_name.lower()](**kwargs)


def _read(path: str, delimiter: str, encoding: str) -> dict[str, list[float]]:
    """Return the vector of each token of a file; the first of two counts, and lines of a header do not."""
    if not os.path.isfile(path):
        error = FileNotFoundError(f"{path!r} is not there, and d2lhybrid downloads no vectors")
        error.add_note("Put the text file with the vectors there.")
        raise error
    vectors: dict[str, list[float]] = {}
    length = None
    with open(path, encoding=encoding) as file:
        for number, line in enumerate(file, 1):
            token, *elements = line.rstrip().split(delimiter)
            if len(elements) < 2:
                continue  # a header, as fastText's
            if length is not None and len(elements) != length:
                raise ValueError(f"{path!r}, line {number}: {len(elements)} numbers, but {length} before")
            length = len(elements)
            vectors.setdefault(token, [float(element) for element in elements])
    return vectors


globals()["__getattr__"] = refusing(__name__)
