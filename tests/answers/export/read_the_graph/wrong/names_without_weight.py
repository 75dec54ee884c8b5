# %%
import json

PARAMETERS = ("data", "weight", "bias", "gamma", "beta", "running")


def operators_in(file):
    with open(file) as stream:
        nodes = json.load(stream)["nodes"]
    return [node["op"] for node in nodes if not any(word in node["name"] for word in PARAMETERS)]
