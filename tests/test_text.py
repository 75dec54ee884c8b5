"""``mx.contrib.text``: vocabularies, and vectors for words."""

from collections import Counter
from typing import ClassVar

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
    assert text.utils.count_tokens_from_str("aXbxc", "X", "\n", to_lower=True) == {"a": 1, "bxc": 1}


def test_a_vocabulary_begins_with_the_most_frequent():
    counter = Counter(["c", "b", "b", "a", "a", "rare", "<pad>"])
    counter["c"] = 5
    vocabulary = text.vocab.Vocabulary(counter, most_freq_count=2, min_freq=2, reserved_tokens=["<pad>"])
    assert vocabulary.idx_to_token == ["<unk>", "<pad>", "c", "a"] and len(vocabulary) == 4
    assert vocabulary.token_to_idx["a"] == 3 and vocabulary.to_indices(["a", "b"]) == [3, 0]
    assert vocabulary.to_tokens([0, 2]) == ["<unk>", "c"] and vocabulary.reserved_tokens == ["<pad>"]
    with pytest.raises(ValueError, match="Token index 4") as caught:
        vocabulary.to_tokens(4)
    assert caught.value.__notes__ == ["An index must be a Python int that is at least 0 and less than 4."]
    with pytest.raises(AssertionError, match="min_freq"):
        text.vocab.Vocabulary(counter, min_freq=0)


def test_vectors_of_a_file(tmp_path):
    file = tmp_path / "vectors.txt"
    file.write_text("2 3\nhello 1 2 3\nworld 4 5 6\nhello 7 7 7\n", encoding="utf8")
    with pytest.warns(
        UserWarning,
        match=r"line 1 of .* is skipped, because it looks like|line 4 of .* is skipped: 'hello' already has",
    ):
        vectors = text.embedding.CustomEmbedding(str(file))
    assert vectors.vec_len == 3 and vectors.idx_to_token == ["<unk>", "hello", "world"]
    numpy.testing.assert_array_equal(
        vectors.get_vecs_by_tokens(["World", "hello"], lower_case_backup=True).asnumpy(), [[4, 5, 6], [1, 2, 3]]
    )
    assert vectors.get_vecs_by_tokens("nobody").asnumpy().tolist() == [0, 0, 0]
    vectors.update_token_vectors("hello", nd.array([9, 9, 9]))
    assert vectors.get_vecs_by_tokens("hello").asnumpy().tolist() == [9, 9, 9]
    with pytest.raises(ValueError, match="Token 'nobody' is not in the vocabulary"):
        vectors.update_token_vectors("nobody", nd.array([9, 9, 9]))


def test_vectors_of_a_vocabulary(tmp_path):
    file = tmp_path / "vectors.txt"
    file.write_text("hello 1 2\nworld 3 4\n", encoding="utf8")
    vocabulary = text.vocab.Vocabulary(Counter(["world", "nobody"]), unknown_token="?", reserved_tokens=["<pad>"])
    vectors = text.embedding.CustomEmbedding(str(file), init_unknown_vec=nd.ones, vocabulary=vocabulary)
    assert vectors.idx_to_token == ["?", "<pad>", "nobody", "world"]
    assert vectors.idx_to_vec.asnumpy().tolist() == [[1, 1], [1, 1], [1, 1], [3, 4]]
    assert (vectors.unknown_token, vectors.reserved_tokens) == ("?", ["<pad>"])
    with pytest.raises(AssertionError, match=r"must be a contrib\.text\.vocab\.Vocabulary"):
        text.embedding.CustomEmbedding(str(file), vocabulary=["world"])


def test_vectors_of_several_kinds_stand_one_behind_the_other(tmp_path):
    (tmp_path / "one.txt").write_text("hello 1 2\nworld 3 4\n", encoding="utf8")
    (tmp_path / "two.txt").write_text("none 7 8 9\nworld 5 5 5\n", encoding="utf8")
    one = text.embedding.CustomEmbedding(str(tmp_path / "one.txt"))
    two = text.embedding.CustomEmbedding(str(tmp_path / "two.txt"), unknown_token="none")
    vocabulary = text.vocab.Vocabulary(Counter(["world", "hello", "hello"]))
    both = text.embedding.CompositeEmbedding(vocabulary, [one, two])
    assert both.idx_to_token == ["<unk>", "hello", "world"] and both.vec_len == 5
    assert both.idx_to_vec.asnumpy().tolist() == [[0, 0, 7, 8, 9], [1, 2, 7, 8, 9], [3, 4, 5, 5, 5]]
    both.update_token_vectors("world", nd.zeros((5,)))
    assert one.get_vecs_by_tokens("world").asnumpy().tolist() == [3, 4]
    for wrong in ([], [one, "two"]):
        with pytest.raises(AssertionError, match="token_embeddings"):
            text.embedding.CompositeEmbedding(vocabulary, wrong)


def test_new_vectors_of_another_shape_are_refused(tmp_path):
    (tmp_path / "vectors.txt").write_text("hello 1 2\nworld 3 4\n", encoding="utf8")
    vectors = text.embedding.CustomEmbedding(str(tmp_path / "vectors.txt"))
    for tokens, new in [
        (["hello", "world"], nd.ones((2,))),
        (["hello", "world"], nd.ones((1, 2))),
        ("hello", nd.ones((2, 2))),
        ("hello", [5.0, 5.0]),
        ("hello", nd.ones((1,))),
    ]:
        with pytest.raises(AssertionError, match="new_vectors"):
            vectors.update_token_vectors(tokens, new)
    with pytest.raises(AssertionError, match=r"must have the shape \(2,\) or \(1, 2\), not \(1,\)"):
        vectors.update_token_vectors("hello", nd.ones((1,)))
    with pytest.raises(ValueError, match="Token 'other' is not in the vocabulary"):
        vectors.update_token_vectors(["hello", "other"], nd.ones((2, 2)))
    assert vectors.idx_to_vec.asnumpy().tolist() == [[0, 0], [1, 2], [3, 4]]


def test_a_class_of_vectors_can_be_registered(tmp_path):
    @text.embedding.register
    class Mine(text.embedding.TokenEmbedding):
        pretrained_file_name_sha1: ClassVar = {"mine.vec": ""}

        def __init__(self, embedding_root: str, **kwargs):
            super().__init__(**kwargs)
            self._check_pretrained_file_names("mine.vec")
            self._load_embedding(self._get_pretrained_file(embedding_root, "mine.vec"), " ", nd.ones)

    try:
        (tmp_path / "mine").mkdir()
        (tmp_path / "mine" / "mine.vec").write_text("a 2 3\n", encoding="utf8")
        made = text.embedding.create("Mine", embedding_root=str(tmp_path), reserved_tokens=["<pad>"])
        assert made.idx_to_vec.asnumpy().tolist() == [[1, 1], [1, 1], [2, 3]]
        assert text.embedding.get_pretrained_file_names("mine") == ["mine.vec"]
    finally:
        del text.embedding._KINDS["mine"]
    names = text.embedding.get_pretrained_file_names()
    assert {kind: len(set(files)) for kind, files in names.items()} == {"glove": 10, "fasttext": 327}
    with pytest.raises(KeyError, match="nobody"):
        text.embedding.get_pretrained_file_names("nobody")
    with pytest.raises(AssertionError, match="int"):
        text.embedding.register(int)


def test_vectors_that_others_made_are_read_from_their_folder(tmp_path, monkeypatch):
    monkeypatch.setenv("MXNET_HOME", str(tmp_path))
    folder = tmp_path / "embeddings" / "glove"
    folder.mkdir(parents=True)
    (folder / "small.txt").write_text("a 1 2\nb 3 4\n", encoding="utf8")
    with pytest.raises(FileNotFoundError, match="does not download vectors"):
        text.embedding.create("glove")
    (folder / "small.txt").write_text("a 1 2\nb 3 4\n", encoding="utf8")
    assert text.embedding.create("glove", pretrained_file_name="small.txt").vec_len == 2
    with pytest.raises(AssertionError, match="glove, fasttext"):
        text.embedding.create("nothing")
    with pytest.raises(KeyError, match=r"glove\.6B\.50d\.txt"):
        text.embedding.create("glove", pretrained_file_name="absent.txt")


def test_lines_that_are_no_vectors_are_refused(tmp_path):
    file = tmp_path / "vectors.txt"
    for content, error, match in [
        ("a 1 2\nb 3 4 5\n", AssertionError, "line 2 of .*vectors.txt' has 3 numbers, but earlier lines have 2"),
        ("a 1 2\nb\n", AssertionError, "line 2 of .* contains no delimiter ' ', so 'b' has no vector"),
        ("", ValueError, "contains no vector"),
        ("a 1 x\n", ValueError, "could not convert string to float: 'x'"),
    ]:
        file.write_text(content, encoding="utf8")
        with pytest.raises(error, match=match):
            text.embedding.CustomEmbedding(str(file))


def test_vectors_are_arrays_of_the_kind_that_is_in_use(tmp_path):
    # The book puts them into the weight of a layer after `npx.set_np()`.
    file = tmp_path / "vectors.txt"
    file.write_text("hello 1 2 3\nworld 4 5 6\n", encoding="utf8")
    counter = Counter(["hello", "world", "hello", "else"])
    vocabulary = text.vocab.Vocabulary(counter)
    old = text.embedding.CustomEmbedding(str(file))
    mx.npx.set_np()
    try:
        vectors = text.embedding.CustomEmbedding(str(file), vocabulary=vocabulary)
        both = text.embedding.CompositeEmbedding(vocabulary, [vectors, old])
        found = both.get_vecs_by_tokens(["world", "else"])
        for array in (
            vectors.idx_to_vec,
            both.idx_to_vec,
            found,
            both.get_vecs_by_tokens("hello"),
            old.get_vecs_by_tokens("hello"),
        ):
            assert type(array) is mx.np.ndarray
        assert found.asnumpy().tolist() == [[4, 5, 6, 4, 5, 6], [0, 0, 0, 0, 0, 0]]
        net = mx.gluon.nn.Embedding(*vectors.idx_to_vec.shape)
        net.initialize()
        net.weight.set_data(vectors.idx_to_vec)
        vectors.update_token_vectors("world", mx.np.array([7, 8, 9]))
        old.update_token_vectors(["hello"], mx.np.array([[7, 8, 9]]))
        assert vectors.get_vecs_by_tokens("world").asnumpy().tolist() == [7, 8, 9]
    finally:
        mx.npx.reset_np()
    assert old.get_vecs_by_tokens(["hello"]).asnumpy().tolist() == [[7, 8, 9]]
    assert type(vectors.get_vecs_by_tokens("hello")) is nd.NDArray
