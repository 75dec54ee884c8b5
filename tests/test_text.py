"""``mx.contrib.text``: vocabularies, and vectors for words."""

from collections import Counter

import numpy
import pytest

import d2lhybrid as mx
from d2lhybrid import nd

text = mx.contrib.text


def test_tokens_are_counted():
    counter = text.utils.count_tokens_from_str(" Life is great ! \n life is good . \n", to_lower=True)
    assert counter == Counter({"life": 2, "is": 2, "great": 1, "!": 1, "good": 1, ".": 1})
    text.utils.count_tokens_from_str("is-is", token_delim="-", counter_to_update=counter)
    assert counter["is"] == 4


def test_a_vocabulary_begins_with_the_most_frequent():
    counter = Counter(["c", "b", "b", "a", "a", "rare", "<pad>"])
    counter["c"] = 5
    vocabulary = text.vocab.Vocabulary(counter, most_freq_count=2, min_freq=2, reserved_tokens=["<pad>"])
    assert vocabulary.idx_to_token == ["<unk>", "<pad>", "c", "a"] and len(vocabulary) == 4
    assert vocabulary.token_to_idx["a"] == 3 and vocabulary.to_indices(["a", "b"]) == [3, 0]
    assert vocabulary.to_tokens([0, 2]) == ["<unk>", "c"] and vocabulary.reserved_tokens == ["<pad>"]
    with pytest.raises(ValueError, match="Token index 4"):
        vocabulary.to_tokens(4)
    with pytest.raises(AssertionError, match="min_freq"):
        text.vocab.Vocabulary(counter, min_freq=0)


def test_vectors_of_a_file(tmp_path):
    file = tmp_path / "vectors.txt"
    file.write_text("2 3\nhello 1 2 3\nworld 4 5 6\nhello 7 7 7\n", encoding="utf8")
    vectors = text.embedding.CustomEmbedding(str(file))
    assert vectors.vec_len == 3 and vectors.idx_to_token == ["<unk>", "hello", "world"]
    numpy.testing.assert_array_equal(
        vectors.get_vecs_by_tokens(["World", "hello"], lower_case_backup=True).asnumpy(), [[4, 5, 6], [1, 2, 3]]
    )
    assert vectors.get_vecs_by_tokens("nobody").asnumpy().tolist() == [0, 0, 0]
    vectors.update_token_vectors("hello", nd.array([9, 9, 9]))
    assert vectors.get_vecs_by_tokens("hello").asnumpy().tolist() == [9, 9, 9]
    with pytest.raises(ValueError, match="Token nobody is unknown"):
        vectors.update_token_vectors("nobody", nd.array([9, 9, 9]))
    vocabulary = text.vocab.Vocabulary(Counter(["world", "nobody"]))
    assert text.embedding.CustomEmbedding(str(file), vocabulary=vocabulary).idx_to_vec.shape == (3, 3)


def test_vectors_that_others_made_are_read_from_their_folder(tmp_path, monkeypatch):
    monkeypatch.setenv("MXNET_HOME", str(tmp_path))
    folder = tmp_path / "embeddings" / "glove"
    folder.mkdir(parents=True)
    (folder / "small.txt").write_text("a 1 2\nb 3\n", encoding="utf8")
    with pytest.raises(FileNotFoundError, match="downloads no vectors"):
        text.embedding.create("glove")
    (folder / "small.txt").write_text("a 1 2\nb 3 4\n", encoding="utf8")
    assert text.embedding.create("glove", pretrained_file_name="small.txt").vec_len == 2
    with pytest.raises(KeyError, match="glove, fasttext"):
        text.embedding.create("nothing")


def test_vectors_of_different_lengths_are_refused(tmp_path):
    (tmp_path / "vectors.txt").write_text("a 1 2\nb 3 4 5\n", encoding="utf8")
    with pytest.raises(ValueError, match="line 2: 3 numbers, but 2 before"):
        text.embedding.CustomEmbedding(str(tmp_path / "vectors.txt"))
