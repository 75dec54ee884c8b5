"""Functions and classes for tokens and vocabularies."""

from __future__ import annotations

import collections
from collections.abc import Iterable, Sequence
from typing import Any

from ..internals.support.display import Shown

__all__ = ["Vocab", "check_len", "check_shape", "count_corpus", "tokenize", "truncate_pad"]


def tokenize(lines: Iterable[str], token: str = "word") -> list[list[str]]:
    """Split lines into words, or into characters.

    Parameters
    ----------
    lines : list of str
        The lines.
    token : {"word", "char"}
        Whether to split into words or into characters.

    Returns
    -------
    list of list of str
        The tokens of each line.

    Raises
    ------
    ValueError
        If ``token`` is neither of these values.

    Examples
    --------
    >>> tokenize(["the time", "a"])
    [['the', 'time'], ['a']]
    """
    if token not in ("word", "char"):
        raise ValueError(f"token must be 'word' or 'char', not {token!r}")
    return [line.split() if token == "word" else list(line) for line in lines]


def count_corpus(tokens: Sequence[Any]) -> collections.Counter:
    """Count tokens in a list, or in a list of lines.

    Parameters
    ----------
    tokens : list of str, or list of list of str
        The tokens, or the tokens of each line.

    Returns
    -------
    collections.Counter
        The count of each token.
    """
    if len(tokens) and isinstance(tokens[0], list):
        tokens = [token for line in tokens for token in line]
    return collections.Counter(tokens)


def truncate_pad(line: list[Any], num_steps: int, padding_token: Any) -> list[Any]:
    """Return a line with exactly ``num_steps`` tokens, truncated or padded.

    Parameters
    ----------
    line : list
        The tokens.
    num_steps : int
        Number of tokens in the result.
    padding_token : object
        Token to append to a short line.

    Returns
    -------
    list
        The tokens.

    Examples
    --------
    >>> truncate_pad([1, 2, 3], 2, 0), truncate_pad([1], 3, 0)
    ([1, 2], [1, 0, 0])
    """
    return line[:num_steps] + [padding_token] * (num_steps - len(line))


class Vocab(Shown):
    """A mapping between tokens and indices.

    Parameters
    ----------
    tokens : list of str, or of list of str
        The tokens of a text.
    min_freq : int
        Minimum count of a token. Less frequent tokens have the index of the unknown token.
    reserved_tokens : list of str
        Tokens that are in the vocabulary even if the text doesn't contain them, such as ``"<pad>"``.

    Attributes
    ----------
    token_freqs : list of (str, int)
        Tokens of the text and their counts, most frequent first.
    idx_to_token : list of str
        The tokens in the order of their indices.

    Examples
    --------
    >>> vocab = Vocab(["a", "b", "a"])
    >>> vocab[["a", "never seen"]], vocab.to_tokens([1, 2])
    ([1, 0], ['a', 'b'])
    """

    def __init__(self, tokens: Sequence[Any] = (), min_freq: int = 0, reserved_tokens: Sequence[str] = ()) -> None:
        self.token_freqs = count_corpus(tokens).most_common()
        frequent = {token for token, count in self.token_freqs if count >= min_freq}
        self.idx_to_token = sorted({"<unk>", *reserved_tokens, *frequent})
        self.token_to_idx = {token: i for i, token in enumerate(self.idx_to_token)}

    def __len__(self) -> int:
        return len(self.idx_to_token)

    def __getitem__(self, tokens: Any) -> Any:
        if isinstance(tokens, list | tuple):
            return [self[token] for token in tokens]
        return self.token_to_idx.get(tokens, self.unk)

    def to_tokens(self, indices: Any) -> Any:
        """Return the token of an index, or the tokens of several indices.

        Parameters
        ----------
        indices : int or sequence of int
            Index, or indices, of tokens.

        Returns
        -------
        str or list of str
            The list of tokens, or a single token if ``indices`` is a number or a list with one number.
        """
        if hasattr(indices, "__len__") and len(indices) > 1:
            return [self.idx_to_token[int(i)] for i in indices]
        return self.idx_to_token[int(indices[0] if isinstance(indices, list | tuple) else indices)]

    @property
    def unk(self) -> int:
        """The index of the unknown token."""
        return self.token_to_idx["<unk>"]


def check_len(a: Any, n: int) -> None:
    """Raise an AssertionError unless a list has ``n`` elements.

    Parameters
    ----------
    a : sized
        The list.
    n : int
        The expected number of elements.
    """
    assert len(a) == n, f"list's length {len(a)} != expected length {n}"


def check_shape(a: Any, shape: Sequence[int]) -> None:
    """Raise an AssertionError unless an array has the expected shape.

    Parameters
    ----------
    a : ndarray
        The array.
    shape : tuple of int
        The expected shape.
    """
    assert tuple(a.shape) == tuple(shape), f"tensor's shape {a.shape} != expected shape {shape}"
