"""How GluonNLP's models, and those of its scripts, are made, and what they are called with. Runs on Python 3.8.

A model is made by a function here that returns a net, the inputs to call it with, and perhaps a function that calls it.
"""

from __future__ import annotations

VOCABULARY = 60
BATCH, LENGTH = 2, 7
WORDS = {"shape": [BATCH, LENGTH], "below": VOCABULARY}
TYPES = {"shape": [BATCH, LENGTH], "below": 2}
LENGTHS = {"shape": [BATCH], "values": [7, 4]}
PLACES = {"shape": [BATCH, 3], "below": LENGTH}
SENTENCES = {"shape": [LENGTH, BATCH], "below": VOCABULARY}  # the words of a sentence come first

MODELS = {}


def model(*names):
    """Register a function that makes the models of these names; it is called with the name, MXNet and GluonNLP."""

    def registered(function):
        MODELS.update((name, function) for name in names)
        return function

    return registered


def names():
    """Return the names of the models, each with the module that defines it."""
    return [[name, WHERE.get(name, "gluonnlp.model")] for name in MODELS]


def make(mx, name):
    """Return a model without weights from elsewhere, and the inputs to try."""
    import gluonnlp  # pyright: ignore[reportMissingImports]

    net, sorts, *call = MODELS[name](name, mx, gluonnlp)
    CALLS[name] = call[0] if call else None
    return net, [sorts]


CALLS = {}
WHERE = {}


def call(name, net, arrays):
    """Return what a model gives for arrays."""
    return CALLS[name](net, *arrays) if CALLS[name] else net(*arrays)


def vocabulary(nlp, kind="Vocab"):
    """Return a small vocabulary."""
    words = nlp.data.count_tokens([f"word{i}" for i in range(VOCABULARY - (4 if kind == "Vocab" else 5))])
    return getattr(nlp.vocab, kind)(words)


# --- language models ---


def from_the_beginning(mx):
    """Return a function that calls a recurrent model with states of zeros."""
    return lambda net, words: net(words, net.begin_state(batch_size=BATCH, func=mx.nd.zeros))


@model("standard_lstm_lm_200", "standard_lstm_lm_650", "standard_lstm_lm_1500", "awd_lstm_lm_1150", "awd_lstm_lm_600")
def language_model(name, mx, nlp):
    return nlp.model.get_model(name, vocab=vocabulary(nlp))[0], [SENTENCES], from_the_beginning(mx)


@model("big_rnn_lm_2048_512")
def big_rnn(name, mx, nlp):
    return nlp.model.get_model(name, vocab=vocabulary(nlp))[0], [SENTENCES], from_the_beginning(mx)


@model("cache of standard_lstm_lm_200", "cache of awd_lstm_lm_600")
def cache(name, mx, nlp):
    inner = nlp.model.get_model(name[9:], vocab=vocabulary(nlp))[0]
    net = nlp.model.train.CacheCell(inner, VOCABULARY, window=4, theta=0.6, lambdas=0.2)
    alone = {"shape": [12, 1], "below": VOCABULARY}
    return net, [alone, alone], lambda net, words, target: net(words, target, None, None)


@model("AWDRNN for training", "StandardRNN for training", "StandardRNN with gru", "StandardRNN with rnn_relu")
def training_model(name, mx, nlp):
    kind, _, rest = name.partition(" ")
    mode = rest[5:] if rest.startswith("with") else "lstm"
    sizes = {"embed_size": 16, "hidden_size": 16, "num_layers": 2, "tie_weights": True}
    return getattr(nlp.model.train, kind)(mode, VOCABULARY, **sizes), [SENTENCES], from_the_beginning(mx)


# --- words in their context ---

ELMO = "elmo_2x1024_128_2048cnn_1xhighway", "elmo_2x2048_256_2048cnn_1xhighway", "elmo_2x4096_512_2048cnn_2xhighway"


@model(*ELMO)
def elmo(name, mx, nlp):
    def with_states(net, characters):
        states = net.begin_state(mx.nd.zeros, batch_size=BATCH)
        return net(characters, states)  # MXNet takes a mask as long as the net is not hybridized

    net = nlp.model.get_model(name)
    return net[0] if isinstance(net, tuple) else net, [{"shape": [BATCH, LENGTH, 50], "below": 262}], with_states


@model("BiLMEncoder", "BiLMEncoder lstm")
def bilm(name, mx, nlp):
    mode = "lstm" if name.endswith(" lstm") else "lstmpc"
    sizes = {"num_layers": 2, "input_size": 8, "hidden_size": 12, "dropout": 0.1, "skip_connection": False}
    clips = {"proj_size": 8, "cell_clip": 1, "proj_clip": 1} if mode == "lstmpc" else {}
    net = nlp.model.BiLMEncoder(mode=mode, **sizes, **clips)

    def with_states(net, data):
        return net(data, net.begin_state(mx.nd.zeros, batch_size=BATCH))

    return net, [{"shape": [LENGTH, BATCH, 8]}], with_states


# --- BERT and its kind ---


@model("bert_12_768_12", "bert_24_1024_16", "ernie_12_768_12")
def bert(name, mx, nlp):
    net = nlp.model.get_model(name, vocab=vocabulary(nlp, "BERTVocab"), dataset_name=None, pretrained=False)[0]
    return net, [WORDS, TYPES, LENGTHS, PLACES]


@model("bert_12_768_12 without heads", "bert_12_768_12 with attention")
def bert_without_heads(name, mx, nlp):
    settings = {"use_pooler": False, "use_decoder": False, "use_classifier": False}
    if name.endswith("attention"):
        settings.update(output_attention=True, output_all_encodings=True)
    vocab = vocabulary(nlp, "BERTVocab")
    net = nlp.model.get_model(name.split()[0], vocab=vocab, dataset_name=None, pretrained=False, **settings)[0]
    return net, [WORDS, TYPES, LENGTHS]


@model("distilbert_6_768_12")
def distilbert(name, mx, nlp):
    vocab = vocabulary(nlp, "BERTVocab")
    return nlp.model.get_model(name, vocab=vocab, dataset_name=None, pretrained=False)[0], [WORDS, LENGTHS]


@model("roberta_12_768_12", "roberta_24_1024_16")
def roberta(name, mx, nlp):
    net = nlp.model.get_model(name, vocab=vocabulary(nlp), dataset_name=None, pretrained=False)[0]
    return net, [WORDS, LENGTHS, PLACES]


@model("BERTClassifier", "RoBERTaClassifier", "BertForQA", "BERTTagger")
def head(name, mx, nlp):
    settings = {"dataset_name": None, "pretrained": False, "use_decoder": False}
    if name.startswith("RoBERTa"):
        inner = nlp.model.get_model("roberta_12_768_12", vocab=vocabulary(nlp), **settings)[0]
        return nlp.model.RoBERTaClassifier(inner, num_classes=3), [WORDS, LENGTHS]
    settings["use_classifier"] = False
    settings["use_pooler"] = name == "BERTClassifier"
    inner = nlp.model.get_model("bert_12_768_12", vocab=vocabulary(nlp, "BERTVocab"), **settings)[0]
    if name == "BERTClassifier":
        return nlp.model.BERTClassifier(inner, num_classes=3), [WORDS, TYPES, LENGTHS]
    if name == "BERTTagger":
        from scripts.ner.model import BERTTagger  # pyright: ignore[reportMissingImports]

        return BERTTagger(inner, 5, 0.1), [WORDS, TYPES, LENGTHS]
    from scripts.bert.model.qa import BertForQA  # pyright: ignore[reportMissingImports]

    return BertForQA(inner), [WORDS, TYPES, LENGTHS]


@model("xlnet_cased_l12_h768_a12", "xlnet_cased_l24_h1024_a16")
def xlnet(name, mx, nlp):
    from scripts.language_model.transformer import model as models  # pyright: ignore[reportMissingImports]

    # Its maker wants a tokenizer from elsewhere; the sizes stand in its name.
    layers, units, heads = (int(part[1:]) for part in name.split("_")[2:])
    net = models.XLNet(
        vocab_size=VOCABULARY, num_layers=layers, units=units, hidden_size=4 * units, num_heads=heads,
        activation="gelu", dropout=0.1, use_decoder=True,
    )  # fmt: skip

    def with_memory(net, words, types):
        return net(words, types, net.begin_mems(BATCH, 5, context=mx.cpu()))

    return net, [WORDS, TYPES], with_memory


@model("transformer-xl", "transformer-xl with cutoffs", "transformer-xl with div_val")
def transformer_xl(name, mx, nlp):
    from scripts.language_model.transformer import TransformerXL  # pyright: ignore[reportMissingImports]

    rest = {"embed_cutoffs": [10, 30], "embed_div_val": 2 if name.endswith("div_val") else 1} if "with" in name else {}
    net = TransformerXL(vocab_size=VOCABULARY, embed_size=32, units=32, **rest)

    def with_memory(net, words, target):
        return net(words, target, net.begin_mems(BATCH, 5, context=mx.cpu()))

    return net, [WORDS, WORDS], with_memory


@model("gpt2_117m", "gpt2_345m", "gpt2_117m with states")
def gpt2(name, mx, nlp):
    from scripts.text_generation.model import gpt  # pyright: ignore[reportMissingImports]

    net = getattr(gpt, name.split()[0])(dataset_name=None, vocab=vocabulary(nlp), pretrained=False)[0]
    states = [{"shape": [BATCH, 12, 5, 64]}] * 24 if name.endswith("states") else []
    return net, [WORDS, *states], lambda net, words, *states: net(words, list(states)) if states else net(words)


# --- translation ---


@model("transformer_en_de_512")
def transformer(name, mx, nlp):
    both = vocabulary(nlp)  # which source and target share in this model
    nlp.model.transformer._load_vocab = lambda name, given, root: given  # or it would be fetched
    net = nlp.model.get_model(name, dataset_name="", src_vocab=both, tgt_vocab=both)[0]
    return net, [WORDS, WORDS, LENGTHS, LENGTHS]


@model("transformer one step")
def transformer_step(name, mx, nlp):
    sizes = {"num_layers": 2, "units": 16, "hidden_size": 32, "num_heads": 4}
    encoder, decoder, one_step = nlp.model.transformer.get_transformer_encoder_decoder(**sizes)
    vocab = vocabulary(nlp)
    net = nlp.model.translation.NMTModel(
        vocab, vocab, encoder, decoder, one_step, 16, embed_initializer=None, prefix="nmt_"
    )
    return net, [WORDS, WORDS, LENGTHS], step_by_step


def step_by_step(net, words, target, lengths):
    """Return what a translator gives for two words, one after the other."""
    memory, _ = net.encode(words, valid_length=lengths)
    states = net.decoder.init_state_from_encoder(memory, lengths)
    found = []
    for i in range(2):
        output, states, extra = net.decode_step(target[:, i], states)
        found.extend([output, extra])
    return found


@model("gnmt lstm", "gnmt gru", "gnmt lstm scaled_luong", "gnmt one step")
def gnmt(name, mx, nlp):
    from scripts.machine_translation.gnmt import get_gnmt_encoder_decoder  # pyright: ignore[reportMissingImports]

    sizes = {"num_layers": 3, "num_bi_layers": 1, "hidden_size": 16}
    kinds = {"cell_type": "gru" if "gru" in name else "lstm"}
    kinds["attention_cell"] = "scaled_luong" if "luong" in name else "mlp"
    encoder, decoder, one_step = get_gnmt_encoder_decoder(**sizes, **kinds)
    vocab = vocabulary(nlp)
    net = nlp.model.translation.NMTModel(vocab, vocab, encoder, decoder, one_step, 16, prefix="gnmt_")
    if name.endswith("step"):
        return net, [WORDS, WORDS, LENGTHS], step_by_step
    return net, [WORDS, WORDS, LENGTHS, LENGTHS]


# --- classification, inference, parsing ---


@model("text_cnn rand", "text_cnn multichannel")
def text_cnn(name, mx, nlp):
    from scripts.sentiment_analysis.text_cnn import SentimentNet  # pyright: ignore[reportMissingImports]

    net = SentimentNet(0.5, embed_size=16, vocab_size=VOCABULARY, model_mode=name.split()[1])
    return net, [SENTENCES]


@model("fasttext classifier")
def fasttext(name, mx, nlp):
    import sys

    before, sys.argv = sys.argv, ["fasttext"]
    try:
        from scripts.text_classification import fasttext_word_ngram as script  # pyright: ignore[reportMissingImports]
    finally:
        sys.argv = before
    return script.FastTextClassificationModel(VOCABULARY, 16, 3), [WORDS, LENGTHS]


@model("decomposable attention", "decomposable attention intra")
def decomposable(name, mx, nlp):
    from scripts.natural_language_inference import decomposable_attention  # pyright: ignore[reportMissingImports]

    net = decomposable_attention.DecomposableAttentionModel(VOCABULARY, 16, 12, 0.1, intra_attention="intra" in name)
    return net, [WORDS, WORDS]


@model("esim")
def esim(name, mx, nlp):
    from scripts.natural_language_inference.esim import ESIMModel  # pyright: ignore[reportMissingImports]

    return ESIMModel(VOCABULARY, 3, 16, 12, 12, 0.1), [WORDS, WORDS]


# --- parts ---


@model("ConvolutionalEncoder", "ConvolutionalEncoder highway", "ConvolutionalEncoder mask")
def convolutional(name, mx, nlp):
    rest = {"num_highway": 2, "highway_layer_activation": "relu"} if "highway" in name else {"num_highway": None}
    sizes = {"embed_size": 8, "num_filters": (4, 6), "ngram_filter_sizes": (1, 3), "output_size": 10}
    net = nlp.model.ConvolutionalEncoder(**sizes, **rest)
    mask = [{"shape": [LENGTH, BATCH], "below": 2}] if name.endswith("mask") else []
    return net, [{"shape": [LENGTH, BATCH, 8]}, *mask]


@model("LSTMPCellWithClip")
def lstmp(name, mx, nlp):
    net = nlp.model.LSTMPCellWithClip(12, 6, cell_clip=0.5, projection_clip=0.5, input_size=8)
    return net, [{"shape": [BATCH, LENGTH, 8]}], lambda net, data: net.unroll(LENGTH, data, layout="NTC")


@model("Highway")
def highway(name, mx, nlp):
    return nlp.model.Highway(8, 2), [{"shape": [BATCH, 8]}]


@model(*(f"attention {kind}" for kind in ("multi_head", "dot", "scaled_dot", "scaled_luong", "mlp", "normed_mlp")))
def attention(name, mx, nlp):
    cells, kind = nlp.model.attention_cell, name.split()[1]
    cell = (
        cells.MultiHeadAttentionCell(cells.DotProductAttentionCell(scaled=True), 8, 8, 8, 2)
        if kind == "multi_head"
        else cells.DotProductAttentionCell(units=8 if kind == "scaled_luong" else None, scaled="scaled" in kind,
                                           luong_style=kind == "scaled_luong")
        if kind.endswith(("dot", "luong"))
        else cells.MLPAttentionCell(units=8, normalized=kind == "normed_mlp")
    )  # fmt: skip
    query, key = {"shape": [BATCH, 3, 8]}, {"shape": [BATCH, 5, 8]}
    mask = {"shape": [BATCH, 3, 5], "below": 2}
    return cell, [query, key, mask], lambda net, query, key, mask: net(query, key, key + 1, mask)


WHERE.update({
    "BertForQA": "scripts.bert", "BERTTagger": "scripts.ner", "esim": "scripts.natural_language_inference",
    "fasttext classifier": "scripts.text_classification",
    **{name: "scripts.language_model" for name in MODELS if name.startswith(("xlnet", "transformer-xl"))},
    **{name: "scripts.text_generation" for name in MODELS if name.startswith("gpt2")},
    **{name: "scripts.machine_translation" for name in MODELS if name.startswith("gnmt")},
    **{name: "scripts.sentiment_analysis" for name in MODELS if name.startswith("text_cnn")},
    **{name: "scripts.natural_language_inference" for name in MODELS if name.startswith("decomposable")},
})  # fmt: skip
