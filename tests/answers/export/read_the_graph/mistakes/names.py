# The checker says: contains names of nodes

# %%
import json


def operators_in(file):
    return [n["name"] for n in json.load(open(file))["nodes"] if n["op"] != "null"]
