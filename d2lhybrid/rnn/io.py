"""Functions and iterators for sentences: word indices, and batches of sentences of similar lengths."""

from __future__ import annotations

import bisect
import random
from collections.abc import Sequence
from typing import Any

import numpy

from .. import ndarray as nd
from ..io import DataBatch, DataDesc, DataIter

__all__ = ["BucketSentenceIter", "encode_sentences"]


def encode_sentences(
    sentences: Sequence[Sequence[str]],
    vocab: dict[str, int] | None = None,
    invalid_label: int = -1,
    invalid_key: str = "\n",
    start_label: int = 0,
    unknown_token: str | None = None,
) -> tuple[list[list[int]], dict[str, int]]:
    r"""Convert sentences to lists of word indices, and return the lists and the vocabulary.

    Parameters
    ----------
    sentences : sequence of sequence of str
        The words of each sentence.
    vocab : dict, optional
        Index of each word; by default, words are indexed in the order of their first occurrence.
    invalid_label, invalid_key : int, str
        Index that no word gets, and the key of this index in a new vocabulary.
    start_label : int
        First index.
    unknown_token : str, optional
        Token for words outside the vocabulary.

    Returns
    -------
    tuple of (list of list of int, dict of str to int)
        The sentences and the vocabulary.

    Raises
    ------
    AssertionError
        If a word is not in the vocabulary, and there is no ``unknown_token``.

    Examples
    --------
    >>> encode_sentences([["a", "b"], ["b"]], start_label=1)
    ([[1, 2], [2]], {'\n': -1, 'a': 1, 'b': 2})
    """
    is_new = vocab is None
    numbers: dict[str, int] = {invalid_key: invalid_label} if vocab is None else vocab
    following, found = start_label, []
    for sentence in sentences:
        coded = []
        for given in sentence:
            word = given
            if word not in numbers:
                if not is_new and not unknown_token:
                    raise AssertionError(f"Unknown token {word}")
                if following == invalid_label:
                    following += 1
                word = unknown_token or word
                if word not in numbers:
                    numbers[word] = following
                    following += 1
            coded.append(numbers[word])
        found.append(coded)
    return found, numbers


class BucketSentenceIter(DataIter):
    """An iterator over batches of sentences of similar lengths. The label of a word is the next word.

    Parameters
    ----------
    sentences : list of list of int
        The sentences, as word indices.
    batch_size : int
        Number of sentences in a batch.
    buckets : list of int, optional
        Lengths of the buckets; by default, all lengths with enough sentences for a batch.
    invalid_label : int
        Padding value for sentences that are shorter than their bucket.
    data_name, label_name : str
        Names of the inputs.
    dtype : str
        Element type of data and labels.
    layout : str
        ``"NT"``, or ``"TN"`` with the time axis first.

    Raises
    ------
    ValueError
        If ``layout`` has another value, or if all buckets are empty.
    """

    batch_size: int
    dtype: str
    layout: str
    data_name: str
    label_name: str
    invalid_label: int
    curr_idx: int

    def __init__(
        self,
        sentences: Sequence[Sequence[int]],
        batch_size: int,
        buckets: list[int] | None = None,
        invalid_label: int = -1,
        data_name: str = "data",
        label_name: str = "softmax_label",
        dtype: str = "float32",
        layout: str = "NT",
    ) -> None:
        super().__init__()
        if layout.find("N") not in (0, 1):
            raise ValueError(f"Invalid layout {layout}: Must by NT (batch major) or TN (time major)")
        if not buckets:
            counts = numpy.bincount([len(s) for s in sentences])
            buckets = [length for length, count in enumerate(counts) if count >= batch_size]
        buckets = sorted(buckets)
        rows: list[list[numpy.ndarray]] = [[] for _ in buckets]
        discarded = 0
        for sentence in sentences:
            place = bisect.bisect_left(buckets, len(sentence))
            if place == len(buckets):
                discarded += 1
                continue
            row = numpy.full((buckets[place],), invalid_label, dtype=dtype)
            row[: len(sentence)] = sentence
            rows[place].append(row)
        self.buckets: list[int] = [length for length, bucket in zip(buckets, rows, strict=True) if bucket]
        self.data = [numpy.asarray(bucket, dtype=dtype) for bucket in rows if bucket]
        if not self.buckets:
            if not buckets:
                error = ValueError(
                    f"there are no buckets, because each length occurs fewer than batch_size={batch_size} times"
                )
                error.add_note("Pass a smaller batch_size, or the lengths of the buckets as buckets.")
                raise error
            raise ValueError(f"no sentence fits into the largest bucket, which has the length {buckets[-1]}")
        print(f"WARNING: discarded {discarded} sentences longer than the largest bucket.")
        self.batch_size, self.dtype, self.layout = batch_size, dtype, layout
        self.data_name, self.label_name, self.invalid_label = data_name, label_name, invalid_label
        self.major_axis: int = layout.find("N")
        self.default_bucket_key: int = max(self.buckets)
        shape = (batch_size, self.default_bucket_key)
        shape = shape[::-1] if self.major_axis else shape
        self.provide_data: list[DataDesc] = [DataDesc(data_name, shape, layout=layout)]
        self.provide_label: list[DataDesc] = [DataDesc(label_name, shape, layout=layout)]
        self.idx: list[tuple[int, int]] = [
            (i, j) for i, bucket in enumerate(self.data) for j in range(0, len(bucket) - batch_size + 1, batch_size)
        ]
        self.nddata: list[Any] = []
        self.ndlabel: list[Any] = []
        self.reset()

    def reset(self) -> None:
        """Return to the start, with a new random order of the batches and of the sentences in each bucket."""
        self.curr_idx = 0
        random.shuffle(self.idx)
        self.nddata, self.ndlabel = [], []
        for bucket in self.data:
            numpy.random.shuffle(bucket)
            label = numpy.full_like(bucket, self.invalid_label)
            label[:, :-1] = bucket[:, 1:]
            self.nddata.append(nd.array(bucket, dtype=self.dtype))
            self.ndlabel.append(nd.array(label, dtype=self.dtype))

    def next(self) -> DataBatch:
        """Return the next batch. The batch's ``bucket_key`` is the length to which its sentences are padded.

        Returns
        -------
        DataBatch
            The batch.

        Raises
        ------
        StopIteration
            At the end of the epoch.
        """
        if self.curr_idx == len(self.idx):
            raise StopIteration
        i, j = self.idx[self.curr_idx]
        self.curr_idx += 1
        data, label = (arrays[i][j : j + self.batch_size] for arrays in (self.nddata, self.ndlabel))
        if self.major_axis:
            data, label = data.T, label.T
        return DataBatch(
            [data], [label], pad=0, bucket_key=self.buckets[i],
            provide_data=[DataDesc(self.data_name, data.shape, layout=self.layout)],
            provide_label=[DataDesc(self.label_name, label.shape, layout=self.layout)],
        )  # fmt: skip
