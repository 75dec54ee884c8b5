# The checker says: there is `null` in the list

# %%
import json


def operators_in(file):
    return [n["op"] for n in json.load(open(file))["nodes"]]
