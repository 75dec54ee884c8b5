# %%
import re


def operators_in(file):
    with open(file) as stream:
        found = re.findall(r'"op": "(\w+)"', stream.read())
    return [op for op in found if op != "null"]
