# The checker says: the list contains `null`

# %%
import json


def operators_in(file):
    return [n["op"] for n in json.load(open(file))["nodes"]]
