# %%
import json

KNOWN = {"FullyConnected", "Activation", "BatchNorm", "Flatten", "Convolution", "Pooling", "Dropout", "LeakyReLU",
         "relu", "sigmoid", "tanh", "softmax", "exp", "elemwise_add", "Embedding", "LayerNorm"}  # fmt: skip


def operators_in(file):
    with open(file) as stream:
        nodes = json.load(stream)["nodes"]
    return [node["op"] for node in nodes if node["op"] in KNOWN]
