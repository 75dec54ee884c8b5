# %%
import json
from pathlib import Path


def operators_in(file):
    nodes = json.loads(Path(file).read_text(encoding="utf-8")).get("nodes", [])
    return list(filter(lambda op: op != "null", (node["op"] for node in nodes)))
