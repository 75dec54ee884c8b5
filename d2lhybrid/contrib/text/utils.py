"""A function that counts tokens in a text."""

from __future__ import annotations

import re
from collections import Counter

__all__ = ["count_tokens_from_str"]


def count_tokens_from_str(
    source_str: str,
    token_delim: str = " ",
    seq_delim: str = "\n",
    to_lower: bool = False,
    counter_to_update: Counter[str] | None = None,
) -> Counter[str]:
    r"""Count the occurrences of each token in a text.

    Parameters
    ----------
    source_str : str
        The text.
    token_delim, seq_delim : str
        The separators of tokens and of lines, as regular expressions.
    to_lower : bool
        Whether to convert the tokens to lower case, after the text is split at the separators.
    counter_to_update : collections.Counter, optional
        Counter to update; a new counter by default.

    Returns
    -------
    collections.Counter
        The number of occurrences of each token.

    Examples
    --------
    >>> count_tokens_from_str(" Life is great ! \n life is good . \n", to_lower=True)["life"]
    2
    """
    tokens = filter(None, re.split(f"{token_delim}|{seq_delim}", source_str))
    counter = Counter() if counter_to_update is None else counter_to_update
    counter.update(token.lower() if to_lower else token for token in tokens)
    return counter
