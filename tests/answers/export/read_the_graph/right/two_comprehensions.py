# %%
import json


def operators_in(file):
    with open(file) as stream:
        ops = [node["op"] for node in json.load(stream)["nodes"]]
    return [op for op in ops if op not in ("null",)]
