# %%
import json


def operators_in(file):
    graph = json.loads(open(file).read())
    result = []
    for node in graph["nodes"]:
        if node["op"] == "null":
            continue
        result.append(node["op"])
    return result
