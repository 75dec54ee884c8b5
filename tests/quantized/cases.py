"""Calls of the quantized operators: inputs from numbers of a seed, the same with every NumPy, and settings."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy

__all__ = ["Case", "cases"]


class Case(NamedTuple):
    """A call of an operator of ``contrib``.

    Attributes
    ----------
    name : str
        Its name in the record.
    op : str
        The operator, without ``_contrib_``.
    inputs : list of array
        What it is given, in order.
    settings : dict
        Its attributes.
    """

    name: str
    op: str
    inputs: list[Any]
    settings: dict[str, Any]

    @property
    def names(self) -> list[str]:
        """The names of the inputs of a layer that may have a bias; of others there are none."""
        if "no_bias" not in self.settings:
            return []
        every = ["data", "weight", "bias", "min_data", "max_data", "min_weight", "max_weight", "min_bias", "max_bias"]
        return [name for name in every if not (self.settings["no_bias"] and name.endswith("bias"))]


class _Maker:
    """Makes arrays from a seed."""

    def __init__(self, seed: int) -> None:
        self._random = numpy.random.RandomState(seed)

    def s(self, *shape: int) -> Any:
        """Return int8."""
        return self._random.randint(-127, 128, shape).astype("int8")

    def u(self, *shape: int) -> Any:
        """Return uint8."""
        return self._random.randint(0, 256, shape).astype("uint8")

    def i(self, *shape: int, most: int = 300000) -> Any:
        """Return int32."""
        return self._random.randint(-most, most, shape).astype("int32")

    def f(self, *shape: int, scale: float = 1.0, low: bool = True) -> Any:
        """Return real numbers, positive ones alone unless ``low``."""
        values = self._random.randn(*shape) * scale
        return (values if low else abs(values)).astype("float32")

    def range(self, count: int = 1) -> list[Any]:
        """Return ranges, each a smallest and a largest number."""
        ends = [(-abs(self._random.randn()) * 2, abs(self._random.randn()) * 3) for _ in range(count)]
        return [numpy.array([end], "float32") for both in ends for end in both]


def _of_one_array(make: _Maker) -> list[tuple[str, list[Any], dict[str, Any]]]:
    found: list[tuple[str, list[Any], dict[str, Any]]] = []
    calibrated = {"min_calib_range": -0.75, "max_calib_range": 1.25}
    positive = {"min_calib_range": 0.0, "max_calib_range": 1.5}
    for kind in ("int8", "uint8"):
        found += [("quantize", [make.f(3, 5, scale=2), *make.range()], {"out_type": kind}) for _ in range(3)]
        found += [("quantize_v2", [make.f(3, 5, scale=2)], {"out_type": kind})]
        found += [("quantize_v2", [make.f(3, 5, scale=2, low=False)], {"out_type": kind})]
        found += [("requantize", [make.i(3, 5), *make.range()], {"out_type": kind})]
        for settings in (calibrated, positive):
            found += [("quantize_v2", [make.f(4, 5)], {"out_type": kind, **settings})]
            found += [("requantize", [make.i(4, 5, most=2**30), *make.range()], {"out_type": kind, **settings})]
    for settings in ({}, calibrated, positive):
        found += [("quantize_v2", [make.f(4, 5)], {"out_type": "auto", **settings})]
        found += [("requantize", [make.i(4, 5, most=2**29), *make.range()], {"out_type": "auto", **settings})]
    for array in (make.s(3, 7), make.u(3, 7)):
        found += [("dequantize", [array, *make.range()], {})]
    images = [make.s(2, 3, 6, 5), make.u(2, 3, 6, 5)]
    for image in images:
        for kind in ("max", "avg"):
            window = {"kernel": (2, 3), "stride": (2, 1), "pad": (1, 1), "pool_type": kind}
            found += [("quantized_pooling", [image, *make.range()], window)]
            found += [("quantized_pooling", [image, *make.range()], {**window, "pooling_convention": "full"})]
            found += [
                (
                    "quantized_pooling",
                    [image, *make.range()],
                    {"global_pool": True, "kernel": (1, 1), "pool_type": kind},
                )
            ]
        found += [("quantized_flatten", [image, *make.range()], {})]
    window = {"kernel": (3, 3), "stride": (1, 1), "pad": (1, 1), "pool_type": "avg", "count_include_pad": False}
    found += [("quantized_pooling", [images[0], *make.range()], window)]
    found += [("quantized_act", [images[0], *make.range()], {"act_type": "relu"})]
    return found


def _of_weights(make: _Maker) -> list[tuple[str, list[Any], dict[str, Any]]]:
    found: list[tuple[str, list[Any], dict[str, Any]]] = []
    for data in (make.s(4, 10), make.u(4, 10), make.s(2, 2, 5)):
        settings = {"num_hidden": 3, "no_bias": True}
        found += [("quantized_fully_connected", [data, make.s(3, 10), *make.range(2)], settings)]
        settings = {"num_hidden": 3, "no_bias": False}
        found += [("quantized_fully_connected", [data, make.s(3, 10), make.s(3), *make.range(3)], settings)]
    settings = {"num_hidden": 3, "no_bias": True, "flatten": False}
    found += [("quantized_fully_connected", [make.s(2, 3, 6), make.s(3, 6), *make.range(2)], settings)]
    image = make.u(2, 4, 7, 6)
    for extra in ({}, {"stride": (2, 1), "pad": (1, 2)}, {"dilate": (2, 2)}):
        settings = {"kernel": (3, 2), "num_filter": 6, **extra}
        weight = make.s(6, 4, 3, 2)
        found += [("quantized_conv", [image, weight, *make.range(2)], {**settings, "no_bias": True})]
        if not extra:
            found += [("quantized_conv", [image, weight, make.s(6), *make.range(3)], {**settings, "no_bias": False})]
    settings = {"input_dim": 5, "output_dim": 3}
    found += [
        ("quantized_embedding", [numpy.array([[0, 4], [2, 3]], "float32"), make.s(5, 3), *make.range()], settings)
    ]
    calibrated = {"min_calib_range": -2.0, "max_calib_range": 3.0}
    for fixed in (True, False):
        channels = [make.f(3), make.f(3), make.f(3), make.f(3, low=False)]
        settings = {"fix_gamma": fixed, "eps": 1e-3, **calibrated}
        found += [("quantized_batch_norm", [make.s(2, 3, 4, 4), *channels, *make.range()], settings)]
    return found


def _of_several(make: _Maker) -> list[tuple[str, list[Any], dict[str, Any]]]:
    found: list[tuple[str, list[Any], dict[str, Any]]] = []
    calibrated = {"min_calib_range": -2.0, "max_calib_range": 2.5}
    kinds = {"ss": (make.s, make.s), "uu": (make.u, make.u), "su": (make.s, make.u), "us": (make.u, make.s)}
    for kind, (left, right) in kinds.items():
        pair = [left(4, 6), right(4, 6)]
        ranges = make.range(2)
        found += [("quantized_elemwise_add", [*pair, *ranges], calibrated)]
        if kind in ("ss", "uu"):
            found += [("quantized_elemwise_add", [*pair, *ranges], {})]
        if kind == "ss":
            for settings in ({}, calibrated, {"enable_float_output": True}):
                found += [("quantized_elemwise_mul", [*pair, *ranges], settings)]
        found += [("quantized_concat", [*pair, *ranges], {"dim": 1, "num_args": 2})]
    arrays = [make.u(2, 3, 2), make.u(2, 1, 2), make.s(2, 2, 2)]
    found += [("quantized_concat", [*arrays, *make.range(3)], {"dim": 1, "num_args": 3})]
    return found


def cases() -> list[Case]:
    """Return all calls."""
    rows = [row for family in (_of_one_array, _of_weights, _of_several) for row in family(_Maker(7))]
    counts: dict[str, int] = {}
    found = []
    for op, inputs, settings in rows:
        counts[op] = counts.get(op, -1) + 1
        found.append(Case(f"{op}_{counts[op]}", op, inputs, settings))
    return found
