"""The nets of the zoo in PyTorch, with the same layers as in ``_gluon_worker.py``."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import torch  # pyright: ignore[reportMissingImports]
from torch import nn  # pyright: ignore[reportMissingImports]

__all__ = ["TARGETS", "ZOO", "trains"]


def convolution() -> Any:
    return nn.Sequential(nn.Conv2d(64, 64, 3, padding=1), nn.ReLU())


class Residual(nn.Module):  # pyright: ignore[reportUntypedBaseClass]
    """A residual block of two convolutions."""

    def __init__(self, before: int, after: int, stride: int) -> None:
        super().__init__()
        self.body = nn.Sequential(
            nn.Conv2d(before, after, 3, stride, 1, bias=False), nn.BatchNorm2d(after), nn.ReLU(),
            nn.Conv2d(after, after, 3, 1, 1, bias=False), nn.BatchNorm2d(after),
        )  # fmt: skip
        self.past: Any = nn.Identity()
        if stride != 1 or before != after:
            self.past = nn.Sequential(nn.Conv2d(before, after, 1, stride, bias=False), nn.BatchNorm2d(after))

    def forward(self, x: Any) -> Any:
        return torch.relu(self.body(x) + self.past(x))


def residuals(*channels: int) -> list[Any]:
    blocks: list[Any] = []
    for i, (before, after) in enumerate(itertools.pairwise(channels)):
        blocks += [Residual(before, after, 1 if i == 0 else 2), Residual(after, after, 1)]
    return [*blocks, nn.AdaptiveAvgPool2d(1), nn.Flatten()]


def resnet_18() -> Any:
    return nn.Sequential(
        nn.Conv2d(3, 64, 7, 2, 3, bias=False), nn.BatchNorm2d(64), nn.ReLU(), nn.MaxPool2d(3, 2, 1),
        *residuals(64, 64, 128, 256, 512), nn.Linear(512, 1000),
    )  # fmt: skip


def small_resnet() -> Any:
    return nn.Sequential(nn.Conv2d(3, 16, 3, 1, 1, bias=False), *residuals(16, 16, 32), nn.Linear(32, 10))


def mobilenet() -> Any:
    def layer(before: int, after: int, kernel: int, stride: int, groups: int) -> list[Any]:
        window = nn.Conv2d(before, after, kernel, stride, kernel // 2, groups=groups, bias=False)
        return [window, nn.BatchNorm2d(after), nn.ReLU()]

    widths = [8, 16, *[32] * 2, *[64] * 2, *[128] * 6, *[256] * 2]
    strides = [1, 2, 1, 2, 1, 2, *[1] * 5, 2, 1]
    layers = layer(3, 8, 3, 2, 1)
    for before, after, stride in zip(widths, widths[1:], strides, strict=False):
        layers += [*layer(before, before, 3, stride, before), *layer(before, after, 1, 1, 1)]
    return nn.Sequential(*layers, nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(256, 1000))


class Fire(nn.Module):  # pyright: ignore[reportUntypedBaseClass]
    """A narrow convolution, followed by two parallel convolutions."""

    def __init__(self, before: int, narrow: int, wide: int) -> None:
        super().__init__()
        self.squeeze = nn.Sequential(nn.Conv2d(before, narrow, 1), nn.ReLU())
        self.one = nn.Sequential(nn.Conv2d(narrow, wide, 1), nn.ReLU())
        self.three = nn.Sequential(nn.Conv2d(narrow, wide, 3, padding=1), nn.ReLU())

    def forward(self, x: Any) -> Any:
        x = self.squeeze(x)
        return torch.cat([self.one(x), self.three(x)], 1)


def squeezenet() -> Any:
    def pool() -> Any:
        return nn.MaxPool2d(3, 2, ceil_mode=True)

    return nn.Sequential(
        nn.Conv2d(3, 64, 3, 2), nn.ReLU(), pool(), Fire(64, 16, 64), Fire(128, 16, 64), pool(), Fire(128, 32, 128),
        Fire(256, 32, 128), pool(), Fire(256, 48, 192), Fire(384, 48, 192), Fire(384, 64, 256), Fire(512, 64, 256),
        nn.Dropout(), nn.Conv2d(512, 1000, 1), nn.ReLU(), nn.AvgPool2d(13), nn.Flatten(),
    )  # fmt: skip


def vgg_11() -> Any:
    layers: list[Any] = []
    before = 3
    for count, after in [(1, 64), (1, 128), (2, 256), (2, 512), (2, 512)]:
        for _ in range(count):
            layers += [nn.Conv2d(before, after, 3, padding=1), nn.ReLU()]
            before = after
        layers.append(nn.MaxPool2d(2))
    sizes = [nn.Flatten(), nn.Linear(512 * 49, 4096), nn.ReLU(), nn.Dropout(), nn.Linear(4096, 4096), nn.ReLU()]
    return nn.Sequential(*layers, *sizes, nn.Dropout(), nn.Linear(4096, 1000))


def generator() -> Any:
    layers: list[Any] = []
    before = 100
    for after, stride, pad in [(256, 1, 0), (128, 2, 1), (64, 2, 1)]:
        layers += [nn.ConvTranspose2d(before, after, 4, stride, pad, bias=False), nn.BatchNorm2d(after), nn.ReLU()]
        before = after
    return nn.Sequential(*layers, nn.ConvTranspose2d(before, 3, 4, 2, 1, bias=False), nn.Tanh())


class LanguageModel(nn.Module):  # pyright: ignore[reportUntypedBaseClass]
    """An embedding, an LSTM and a dense layer, for words ``(steps, batch)``."""

    def __init__(self, words: int = 1000, units: int = 128) -> None:
        super().__init__()
        self.embedding, self.lstm = nn.Embedding(words, units), nn.LSTM(units, units)
        self.dense = nn.Linear(units, words)

    def forward(self, words: Any) -> Any:
        return self.dense(self.lstm(self.embedding(words))[0])


class Transformer(nn.Module):  # pyright: ignore[reportUntypedBaseClass]
    """One block of a transformer's encoder, for ``(batch, steps, units)``."""

    def __init__(self, units: int = 128, heads: int = 4) -> None:
        super().__init__()
        self.heads = heads
        self.query, self.key, self.value, self.out = (nn.Linear(units, units, bias=False) for _ in range(4))
        self.inner, self.outer = nn.Linear(units, 4 * units), nn.Linear(4 * units, units)
        self.norm1, self.norm2 = nn.LayerNorm(units), nn.LayerNorm(units)

    def forward(self, x: Any) -> Any:
        def split(y: Any) -> Any:
            return y.unflatten(-1, (self.heads, -1)).transpose(1, 2)

        found = nn.functional.scaled_dot_product_attention(
            split(self.query(x)), split(self.key(x)), split(self.value(x))
        )
        x = self.norm1(x + self.out(found.transpose(1, 2).flatten(2)))
        return self.norm2(x + self.outer(torch.relu(self.inner(x))))


#: Workload -> net, shape of the data, whether the data is words, and shape of the labels (None without labels).
ZOO: dict[str, tuple[Callable[[], Any], tuple[int, ...], bool, tuple[int, ...] | None]] = {
    "convolution": (convolution, (8, 64, 56, 56), False, None),
    "resnet-18": (resnet_18, (1, 3, 224, 224), False, None),
    "mobilenet": (mobilenet, (1, 3, 224, 224), False, None),
    "squeezenet": (squeezenet, (1, 3, 224, 224), False, None),
    "vgg-11": (vgg_11, (1, 3, 224, 224), False, None),
    "generator": (generator, (8, 100, 1, 1), False, None),
    "lstm": (LanguageModel, (35, 16), True, None),
    "transformer": (Transformer, (8, 64, 128), False, None),
    "small-resnet": (small_resnet, (32, 3, 32, 32), False, (32,)),
    "generator-training": (generator, (8, 100, 1, 1), False, None),
    "lstm-training": (LanguageModel, (35, 16), True, (35, 16)),
    "transformer-training": (Transformer, (8, 64, 128), False, None),
}
#: Workload without labels -> shape of its output, which training minimizes.
TARGETS = {"generator-training": (8, 3, 32, 32), "transformer-training": (8, 64, 128)}


def trains(workload: str) -> bool:
    """Return whether a workload is a training step."""
    return workload == "small-resnet" or workload.endswith("-training")
