# %%
import json


def operators_in(file):
    with open(file) as stream:
        nodes = json.load(stream)["nodes"]
    return [n["op"] for n in nodes if n["op"] in ("FullyConnected", "Activation", "BatchNorm", "Flatten")]
