from d2lhybrid import sym


# %%
import json


def operators_in(file):
    symbol = sym.load(file)
    return [node["op"] for node in json.loads(symbol.tojson())["nodes"] if node["op"] != "null"]
