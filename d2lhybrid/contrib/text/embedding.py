"""Word vectors, read from existing text files."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Sequence
from typing import Any, ClassVar

import numpy

from ... import ndarray as nd
from ...internals.support.data_folder import data_dir
from ...internals.support.plural import counted
from ...util import is_np_array
from .pretrained import FASTTEXT, FASTTEXT_ARCHIVES, GLOVE, GLOVE_ARCHIVES
from .vocab import Vocabulary

__all__ = [
    "CompositeEmbedding",
    "CustomEmbedding",
    "FastText",
    "GloVe",
    "TokenEmbedding",
    "create",
    "get_pretrained_file_names",
    "register",
]

_KINDS: dict[str, type[TokenEmbedding]] = {}


def _in_use(array: Any) -> Any:
    """Convert an array to the current array class, which is ``mx.np.ndarray`` after ``npx.set_np()``."""
    return array.as_np_ndarray() if is_np_array() else array.as_nd_ndarray()


class TokenEmbedding(Vocabulary):
    """The base class of all word vectors: a vocabulary with a vector for each token.

    Parameters
    ----------
    **kwargs
        Arguments of :class:`~d2lhybrid.contrib.text.vocab.Vocabulary`.
    """

    #: Names of each class's files. MXNet stores the files' checksums, too.
    pretrained_file_name_sha1: ClassVar[dict[str, str]] = {}

    _idx_to_vec: Any

    @property
    def vec_len(self) -> int:
        """The length of a word vector."""
        return self._idx_to_vec.shape[1]

    @property
    def idx_to_vec(self) -> Any:
        """The word vectors, one row for each token, in the order of ``idx_to_token``."""
        return self._idx_to_vec

    def get_vecs_by_tokens(self, tokens: Any, lower_case_backup: bool = False) -> Any:
        """Return the vector of a token, or the vectors of a list of tokens.

        Parameters
        ----------
        tokens : str or list of str
            The tokens.
        lower_case_backup : bool
            Whether to look up the lower-case form of an unknown token.

        Returns
        -------
        NDArray
            The vectors, of shape ``(vec_len,)`` for a token or ``(len(tokens), vec_len)`` for a list. After
            ``npx.set_np()``, the result is an ``mx.np`` array.
        """
        several = tokens if isinstance(tokens, list) else [tokens]
        places = [self._token_to_idx.get(token, 0) for token in several]
        if lower_case_backup:
            places = [i or self._token_to_idx.get(token.lower(), 0) for i, token in zip(places, several, strict=True)]
        found = _in_use(self._idx_to_vec[numpy.array(places, "int64")])
        return found if isinstance(tokens, list) else found[0]

    def update_token_vectors(self, tokens: Any, new_vectors: Any) -> None:
        """Set the vectors of tokens.

        Parameters
        ----------
        tokens : str or list of str
            The tokens. To set the vector of unknown tokens, pass ``unknown_token``.
        new_vectors : NDArray
            A vector for each token. For a single token, a one-dimensional array is enough.

        Raises
        ------
        AssertionError
            If the number of vectors differs from the number of tokens, or if the length of the vectors is wrong.
        ValueError
            If a token is not in the vocabulary. In this case, no vector is changed.
        """
        several = tokens if isinstance(tokens, list) else [tokens]
        axes = (1, 2) if len(several) == 1 else (2,)
        if not isinstance(new_vectors, nd.NDArray) or len(new_vectors.shape) not in axes:
            wanted = "1-D or 2-D" if len(several) == 1 else "2-D"
            got = f"a {len(new_vectors.shape)}-D NDArray" if isinstance(new_vectors, nd.NDArray) else repr(new_vectors)
            raise AssertionError(
                f"`new_vectors` must be a {wanted} NDArray for {counted(len(several), 'token')}, not {got}."
            )
        rows = new_vectors.reshape((1, -1)) if len(new_vectors.shape) == 1 else new_vectors
        if rows.shape != (len(several), self.vec_len):
            shapes = [(self.vec_len,), (1, self.vec_len)] if len(several) == 1 else [(len(several), self.vec_len)]
            wanted = " or ".join(map(str, shapes))
            raise AssertionError(f"`new_vectors` must have the shape {wanted}, not {new_vectors.shape}.")
        for token in several:
            if token not in self._token_to_idx:
                raise ValueError(
                    f"Token {token!r} is not in the vocabulary. To update the vector that all unknown tokens share, "
                    f"pass the token {self.unknown_token!r}."
                )
        rows = rows.as_nd_ndarray() if self._idx_to_vec._legacy else rows.as_np_ndarray()
        for token, vector in zip(several, rows, strict=True):
            self._idx_to_vec[self._token_to_idx[token]] = vector

    @classmethod
    def _check_pretrained_file_names(cls, pretrained_file_name: str) -> None:
        """Raise a KeyError unless a class has a file of that name."""
        if pretrained_file_name not in cls.pretrained_file_name_sha1:
            raise KeyError(
                f"Cannot find pretrained file {pretrained_file_name} for token embedding {cls.__name__.lower()}. "
                f"Valid pretrained files: {', '.join(cls.pretrained_file_name_sha1)}"
            )

    @classmethod
    def _get_pretrained_file(cls, embedding_root: str, pretrained_file_name: str) -> str:
        """Return the path of a file of this class."""
        return os.path.join(os.path.expanduser(embedding_root), cls.__name__.lower(), pretrained_file_name)

    def _load_embedding(
        self,
        pretrained_file_path: str,
        elem_delim: str,
        init_unknown_vec: Callable[..., Any],
        encoding: str = "utf8",
    ) -> None:
        """Read the vectors of a file. Its tokens are added after the existing tokens."""
        vectors = _read(pretrained_file_path, elem_delim, encoding)
        length = len(next(iter(vectors.values())))
        unknown = vectors.pop(self._unknown_token, None)  # type: ignore[arg-type]
        self._take_tokens([*self._idx_to_token, *(token for token in vectors if token not in self._token_to_idx)])
        first = init_unknown_vec(shape=length).asnumpy() if unknown is None else unknown
        rows = [vectors.get(token, first) for token in self._idx_to_token[1:]]
        self._idx_to_vec = _in_use(nd.array(numpy.array([first, *rows], "float32")))

    def _build_embedding_for_vocabulary(self, vocabulary: Vocabulary | None) -> None:
        """Keep only the tokens of a vocabulary, in the vocabulary's order."""
        if vocabulary is not None:
            _check_vocabulary(vocabulary)
            self._follow(vocabulary, [self])

    def _follow(self, vocabulary: Vocabulary, sources: Sequence[TokenEmbedding]) -> None:
        """Replace this vocabulary with another vocabulary, and concatenate the vectors of several sources."""
        # The unknown token gets the sources' vectors for unknown tokens, whatever its name in a source.
        tokens = vocabulary.idx_to_token[1:]
        rows = []
        for source in sources:
            places = [0, *(source.token_to_idx.get(token, 0) for token in tokens)]
            rows.append(source.idx_to_vec[numpy.array(places, "int64")].as_nd_ndarray())
        self._idx_to_vec = _in_use(nd.concat(*rows, dim=1) if len(rows) > 1 else rows[0])
        self._unknown_token, self._reserved_tokens = vocabulary.unknown_token, vocabulary.reserved_tokens
        self._take_tokens(list(vocabulary.idx_to_token))

    def _take_tokens(self, tokens: list[Any]) -> None:
        self._idx_to_token = tokens
        self._token_to_idx = {token: i for i, token in enumerate(tokens)}


_TokenEmbedding = TokenEmbedding


def register(embedding_cls: type[TokenEmbedding]) -> type[TokenEmbedding]:
    """Register a class of word vectors for :func:`create` under its name in lower case.

    Parameters
    ----------
    embedding_cls : type
        A subclass of :class:`TokenEmbedding`.

    Returns
    -------
    type
        The class, so that this function can be a decorator.

    Raises
    ------
    AssertionError
        If the class is not a subclass of ``TokenEmbedding``.
    """
    if not (isinstance(embedding_cls, type) and issubclass(embedding_cls, TokenEmbedding)):
        raise AssertionError(f"Can only register a subclass of TokenEmbedding, not {embedding_cls!r}")
    _KINDS[embedding_cls.__name__.lower()] = embedding_cls
    return embedding_cls


def create(embedding_name: str, **kwargs: Any) -> TokenEmbedding:
    """Create word vectors of a registered class: ``glove``, ``fasttext``, or the name of your own class.

    Parameters
    ----------
    embedding_name : str
        The name, which is case-insensitive.
    **kwargs
        Arguments of the class.

    Returns
    -------
    TokenEmbedding
        The word vectors.

    Raises
    ------
    AssertionError
        If no class of this name is registered.
    """
    if embedding_name.lower() not in _KINDS:
        raise AssertionError(
            f"The embedding {embedding_name!r} is not registered. The registered names are {', '.join(_KINDS)}. "
            "Register your own class with embedding.register first."
        )
    return _KINDS[embedding_name.lower()](**kwargs)


def get_pretrained_file_names(embedding_name: str | None = None) -> Any:
    """Return the names of published files with word vectors.

    The files are not downloaded. :func:`create` reads them from ``~/.mxnet/embeddings``.

    Parameters
    ----------
    embedding_name : str, optional
        Name of the class; by default, the function returns the files of all classes.

    Returns
    -------
    list of str, or dict
        A list of names, or a dict with a list for each class.

    Raises
    ------
    KeyError
        If no class has this name.

    Examples
    --------
    >>> get_pretrained_file_names("glove")[:2]
    ['glove.42B.300d.txt', 'glove.6B.50d.txt']
    """
    if embedding_name is None:
        return {name: list(kind.pretrained_file_name_sha1) for name, kind in _KINDS.items()}
    if embedding_name.lower() not in _KINDS:
        raise KeyError(f"Cannot find `embedding_name` {embedding_name}. Valid names are {', '.join(_KINDS)}")
    return list(_KINDS[embedding_name.lower()].pretrained_file_name_sha1)


class CustomEmbedding(TokenEmbedding):
    """Word vectors from a user's file.

    Parameters
    ----------
    pretrained_file_path : str
        A text file, in which each line contains a token and the elements of its vector.
    elem_delim : str
        Separator of the token and the elements.
    encoding : str
        Encoding of the file.
    init_unknown_vec : callable
        Function of a shape that returns the vector of unknown tokens, for files without such a vector.
    vocabulary : Vocabulary, optional
        Tokens to keep; by default, all tokens of the file.
    **kwargs
        Arguments of :class:`~d2lhybrid.contrib.text.vocab.Vocabulary`.

    Raises
    ------
    AssertionError
        If a line does not contain a vector, or if the length of its vector differs from the length of the first vector.
    FileNotFoundError
        If the file does not exist.
    ValueError
        If an element is not a number, or if the file contains no vectors.
    """

    def __init__(
        self,
        pretrained_file_path: str,
        elem_delim: str = " ",
        encoding: str = "utf8",
        init_unknown_vec: Callable[..., Any] = nd.zeros,
        vocabulary: Vocabulary | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self._load_embedding(pretrained_file_path, elem_delim, init_unknown_vec, encoding)
        self._build_embedding_for_vocabulary(vocabulary)


class CompositeEmbedding(TokenEmbedding):
    """Concatenated word vectors from several sources for the tokens of a vocabulary.

    Parameters
    ----------
    vocabulary : Vocabulary
        The tokens.
    token_embeddings : TokenEmbedding or list of TokenEmbedding
        Sources of the vectors. A token that a source lacks gets the source's vector of unknown tokens.

    Raises
    ------
    AssertionError
        If an argument has the wrong type.
    """

    def __init__(self, vocabulary: Vocabulary, token_embeddings: TokenEmbedding | Sequence[TokenEmbedding]) -> None:
        _check_vocabulary(vocabulary)
        sources = list(token_embeddings) if isinstance(token_embeddings, Sequence) else [token_embeddings]
        if not sources or not all(isinstance(source, TokenEmbedding) for source in sources):
            raise AssertionError(
                "`token_embeddings` must be a TokenEmbedding or a non-empty list of TokenEmbedding objects, not "
                f"{token_embeddings!r}."
            )
        super().__init__()
        self._follow(vocabulary, sources)


class _Pretrained(TokenEmbedding):
    """The base class of published word vectors, which are read from files in ``~/.mxnet/embeddings``."""

    def __init__(
        self,
        pretrained_file_name: str,
        embedding_root: str = "",
        init_unknown_vec: Callable[..., Any] = nd.zeros,
        vocabulary: Vocabulary | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        path = self._get_pretrained_file(embedding_root or os.path.join(data_dir(), "embeddings"), pretrained_file_name)
        if not os.path.isfile(path):  # any file in the folder is allowed
            self._check_pretrained_file_names(pretrained_file_name)
        self._load_embedding(path, " ", init_unknown_vec)
        self._build_embedding_for_vocabulary(vocabulary)


@register
class GloVe(_Pretrained):
    """GloVe word vectors, from ``~/.mxnet/embeddings/glove``."""

    #: File names without checksums, because files are not downloaded.
    pretrained_archive_name_sha1: ClassVar[dict[str, str]] = dict.fromkeys(GLOVE_ARCHIVES, "")
    pretrained_file_name_sha1: ClassVar[dict[str, str]] = dict.fromkeys(GLOVE, "")

    def __init__(
        self,
        pretrained_file_name: str = "glove.840B.300d.txt",
        embedding_root: str = "",
        init_unknown_vec: Callable[..., Any] = nd.zeros,
        vocabulary: Vocabulary | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(pretrained_file_name, embedding_root, init_unknown_vec, vocabulary, **kwargs)


@register
class FastText(_Pretrained):
    """fastText word vectors, from ``~/.mxnet/embeddings/fasttext``."""

    pretrained_archive_name_sha1: ClassVar[dict[str, str]] = dict.fromkeys(FASTTEXT_ARCHIVES, "")
    pretrained_file_name_sha1: ClassVar[dict[str, str]] = dict.fromkeys(FASTTEXT, "")

    def __init__(
        self,
        pretrained_file_name: str = "wiki.simple.vec",
        embedding_root: str = "",
        init_unknown_vec: Callable[..., Any] = nd.zeros,
        vocabulary: Vocabulary | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(pretrained_file_name, embedding_root, init_unknown_vec, vocabulary, **kwargs)


def _check_vocabulary(vocabulary: Any) -> None:
    if not isinstance(vocabulary, Vocabulary):
        raise AssertionError(f"`vocabulary` must be a contrib.text.vocab.Vocabulary, not {vocabulary!r}.")


def _read(path: str, delimiter: str, encoding: str) -> dict[str, list[float]]:
    """Return the vector of each token in a file. Later duplicates of a token and header lines are skipped."""
    if not os.path.isfile(path):
        error = FileNotFoundError(f"the file {path!r} does not exist, and d2lhybrid does not download vectors")
        error.add_note(f"Put the text file with the vectors at {path!r}.")
        raise error
    vectors: dict[str, list[float]] = {}
    length = None
    with open(path, encoding=encoding) as file:
        for number, line in enumerate(file, 1):
            place = f"line {number} of {path!r}"
            token, *elements = line.rstrip().split(delimiter)
            if not elements:
                error = AssertionError(f"{place} contains no delimiter {delimiter!r}, so {token!r} has no vector")
                error.add_note("Pass the delimiter of the file as elem_delim.")
                raise error
            if len(elements) == 1:  # the first line of fastText's files
                warnings.warn(
                    f"{place} is skipped, because it looks like a header: {token!r} is followed by a single element",
                    stacklevel=4,
                )
            elif token in vectors:
                warnings.warn(f"{place} is skipped: {token!r} already has a vector", stacklevel=4)
            elif length is not None and len(elements) != length:
                raise AssertionError(f"{place} has {len(elements)} numbers, but earlier lines have {length}")
            else:
                length = len(elements)
                try:
                    vectors[token] = [float(element) for element in elements]
                except ValueError as problem:
                    problem.add_note(f"In {place}, write only numbers after {token!r}, separated by {delimiter!r}.")
                    raise
    if not vectors:
        raise ValueError(f"{path!r} contains no vector of at least two numbers")
    return vectors
