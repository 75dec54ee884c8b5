# The checker says: in the wrong order

# %%
import json


def operators_in(file):
    return [n["op"] for n in json.load(open(file))["nodes"] if n["op"] != "null"][::-1]
