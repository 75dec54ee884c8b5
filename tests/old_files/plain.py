"""What both this package and MXNet's own interpreters need: neither is imported here."""

import json
import zlib

import numpy

__all__ = ["numbers", "plain_graph"]


def plain_graph(text):
    """Return the content of a graph's file without the numbers of versions, which nobody reads."""
    data = json.loads(text)
    for node in data["nodes"]:
        node["inputs"] = [entry[:2] for entry in node["inputs"]]
    data["heads"] = [entry[:2] for entry in data["heads"]]
    return data


def numbers(name, shape, low=-1.0, dtype="float32"):
    """Return the values of an array, up to 1: the same for the same name, everywhere; integers are up to 100."""
    made = numpy.random.RandomState(zlib.crc32(name.encode())).uniform(low, 1, shape)
    return (made * (1 if dtype.startswith("float") else 100)).astype(dtype)
