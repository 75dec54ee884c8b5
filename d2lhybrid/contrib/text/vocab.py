"""A mapping between tokens and indices."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from typing import Any

from ...internals.support.display import Shown
from ...internals.support.notes import with_note

__all__ = ["Vocabulary"]


class Vocabulary(Shown):
    """The ordered tokens of a text: the unknown token, reserved tokens, and all other tokens by decreasing frequency.

    Parameters
    ----------
    counter : collections.Counter, optional
        The number of occurrences of each token.
    most_freq_count : int, optional
        Maximum number of tokens, not counting the unknown token and the reserved tokens.
    min_freq : int
        Minimum number of occurrences of a token.
    unknown_token : str
        Token that replaces tokens outside the vocabulary. Its index is 0.
    reserved_tokens : list of str, optional
        Additional tokens, which follow the unknown token.

    Raises
    ------
    AssertionError
        If ``counter`` is not a mapping, if ``min_freq`` is not positive, or if reserved tokens contain duplicates or
        the unknown token.

    Examples
    --------
    >>> from collections import Counter
    >>> vocabulary = Vocabulary(Counter(["b", "a", "a", "c"]), min_freq=1, reserved_tokens=["<pad>"])
    >>> vocabulary.idx_to_token
    ['<unk>', '<pad>', 'a', 'b', 'c']
    >>> vocabulary.to_indices(["a", "never seen"]), vocabulary.to_tokens(1)
    ([2, 0], '<pad>')
    """

    def __init__(
        self,
        counter: Counter[Any] | None = None,
        most_freq_count: int | None = None,
        min_freq: int = 1,
        unknown_token: Hashable = "<unk>",
        reserved_tokens: Sequence[Any] | None = None,
    ) -> None:
        assert counter is None or isinstance(counter, Mapping), (
            "`counter` must be a Counter or another mapping from tokens to counts, such as the result of "
            f"count_tokens_from_str, not {type(counter).__name__}."
        )
        assert min_freq > 0, "`min_freq` must be set to a positive value."
        reserved = list(reserved_tokens or [])
        assert unknown_token not in reserved, "`reserved_token` cannot contain `unknown_token`."
        assert len(set(reserved)) == len(reserved), "`reserved_tokens` cannot contain duplicate reserved tokens."
        self._unknown_token = unknown_token
        self._reserved_tokens = None if reserved_tokens is None else reserved
        first = [unknown_token, *reserved]
        others = [] if counter is None else _by_frequency(counter, min_freq, set(first))
        self._idx_to_token = first + others[:most_freq_count]
        self._token_to_idx = {token: i for i, token in enumerate(self._idx_to_token)}

    def __len__(self) -> int:
        return len(self._idx_to_token)

    @property
    def token_to_idx(self) -> dict[Any, int]:
        """The index of each token."""
        return self._token_to_idx

    @property
    def idx_to_token(self) -> list[Any]:
        """The tokens in the order of their indices."""
        return self._idx_to_token

    @property
    def unknown_token(self) -> Hashable:
        """The replacement for tokens that are not in the vocabulary."""
        return self._unknown_token

    @property
    def reserved_tokens(self) -> list[Any] | None:
        """The reserved tokens, or None if there are none."""
        return self._reserved_tokens

    def to_indices(self, tokens: Any) -> Any:
        """Return the index of a token, or of each token in a list. Unknown tokens have index 0.

        Parameters
        ----------
        tokens : str or list of str
            The token, or the tokens.

        Returns
        -------
        int or list of int
            The index, or the indices.
        """
        if isinstance(tokens, list):
            return [self._token_to_idx.get(token, 0) for token in tokens]
        return self._token_to_idx.get(tokens, 0)

    def to_tokens(self, indices: Any) -> Any:
        """Return the token of an index, or the tokens of a list of indices.

        Parameters
        ----------
        indices : int or list of int
            The index, or the indices.

        Returns
        -------
        str or list of str
            The token, or the tokens.

        Raises
        ------
        ValueError
            If an index is not in this vocabulary.
        """
        numbers = indices if isinstance(indices, list) else [indices]
        for number in numbers:
            if not isinstance(number, int) or not 0 <= number < len(self):
                error = ValueError(f"Token index {number} in the provided `indices` is invalid.")
                raise with_note(error, f"An index must be a Python int that is at least 0 and less than {len(self)}.")
        tokens = [self._idx_to_token[number] for number in numbers]
        return tokens if isinstance(indices, list) else tokens[0]


def _by_frequency(counter: Counter[Any], min_freq: int, left_out: set[Any]) -> list[Any]:
    """Return the tokens that occur often enough, by decreasing frequency. Ties keep their order."""
    ranked = sorted(sorted(counter.items(), key=lambda item: item[0]), key=lambda item: -item[1])
    return [token for token, count in ranked if count >= min_freq and token not in left_out]
