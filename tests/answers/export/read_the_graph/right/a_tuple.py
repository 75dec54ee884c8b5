# %%
import json


def operators_in(file):
    with open(file, "rb") as f:
        data = json.load(f)
    return tuple(n["op"] for n in data["nodes"] if n["op"] != "null")
