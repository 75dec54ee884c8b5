"""Text: tokens and vocabularies."""

from __future__ import annotations

import collections
from collections.abc import Iterable, Sequence
from typing import Any

from ..internals.support.display import Shown

__all__ = ["Vocab", "check_len", "check_shape", "count_corpus", "tokenize", "truncate_pad"]


def tokenize(lines: Iterable[str], token: str = "word") -> list[list[str]]:
    """Split lines into words, or into characters.

    Examples
    --------
    >>> tokenize(["the time", "a"])
    [['the', 'time'], ['a']]
    """
    if token not in ("word", "char"):
        raise ValueError(f"token must be 'word' or 'char', not {token!r}")
    return [line.split() if token == "word" else list(line) for line in lines]


def count_corpus(tokens: Sequence[Any]) -> collections.Counter:
    """Count tokens, in one list or in lists of lines."""
    if len(tokens) and isinstance(tokens[0], list):
        tokens = [token for line in tokens for token in line]
    return collections.Counter(tokens)


def truncate_pad(line: list[Any], num_steps: int, padding_token: Any) -> list[Any]:
    """Return a line of exactly ``num_steps`` tokens.

    Examples
    --------
    >>> truncate_pad([1, 2, 3], 2, 0), truncate_pad([1], 3, 0)
    ([1, 2], [1, 0, 0])
    """
    return line[:num_steps] + [padding_token] * (num_steps - len(line))


class Vocab(Shown):
    """Numbers for tokens, and back.

    Parameters
    ----------
    tokens : list of str, or of list of str
        A text.
    min_freq : int
        How often a token has to occur; others are unknown.
    reserved_tokens : list of str
        Further tokens.

    Attributes
    ----------
    token_freqs : list of (str, int)
        Tokens of the text and how often they occur, the most frequent first.
    idx_to_token : list of str
        The vocabulary in its order.

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
        """Return the tokens of numbers, or the token of one.

        Parameters
        ----------
        indices : int or sequence of int
            The numbers of words.
        """
        if hasattr(indices, "__len__") and len(indices) > 1:
            return [self.idx_to_token[int(i)] for i in indices]
        return self.idx_to_token[int(indices[0] if isinstance(indices, list | tuple) else indices)]

    @property
    def unk(self) -> int:
        """The number of an unknown token."""
        return self.token_to_idx["<unk>"]


def check_len(a: Any, n: int) -> None:
    """Assert that a list has n elements."""
    assert len(a) == n, f"list's length {len(a)} != expected length {n}"


def check_shape(a: Any, shape: Sequence[int]) -> None:
    """Assert that an array has a shape."""
    assert tuple(a.shape) == tuple(shape), f"tensor's shape {a.shape} != expected shape {shape}"
