"""A worker that loads epochs of images of Fashion-MNIST's size with a ``DataLoader``, on demand.

Argument: ``d2lhybrid``, ``mxnet``, or ``torch``. Each input line is a number of workers, and ``library`` or ``own``:
whether the library's transforms process images, or an equivalent function of the user that processes one image. The
answer is the number of images per second in an epoch, shuffled, in batches of 256, with channels first and normalized
values.
"""

from __future__ import annotations

import importlib
import sys
import time
from collections.abc import Iterable
from typing import Any

import numpy

IMAGES, BATCH = 12_800, 256
rng = numpy.random.default_rng(0)
images = rng.integers(0, 256, (IMAGES, 28, 28, 1), dtype=numpy.uint8)
labels = rng.integers(0, 10, IMAGES).astype("int32")


def own_function(image: Any) -> Any:
    """Transform one image of Gluon like the library's transforms."""
    return (image.transpose((2, 0, 1)).astype("float32") / 255 - 0.5) / 0.25


def gluon_loader(package: str, workers: int, how: str) -> Iterable[Any]:
    """Return Gluon's loader."""
    mx = importlib.import_module(package)
    data, transforms = mx.gluon.data, mx.gluon.data.vision.transforms
    steps = transforms.Compose([transforms.ToTensor(), transforms.Normalize(0.5, 0.25)])
    if how == "own":
        steps = own_function
    dataset = data.ArrayDataset(mx.nd.array(images, dtype="uint8"), labels).transform_first(steps)
    return data.DataLoader(dataset, BATCH, shuffle=True, num_workers=workers)


def torch_loader(workers: int) -> Iterable[Any]:
    """Return PyTorch's loader, with torchvision's transforms written out."""
    import torch  # pyright: ignore[reportMissingImports]

    class Images(torch.utils.data.Dataset):  # pyright: ignore[reportUntypedBaseClass]
        def __len__(self) -> int:
            return IMAGES

        def __getitem__(self, index: int) -> Any:
            image = torch.from_numpy(images[index]).permute(2, 0, 1).contiguous().to(torch.float32).div(255)
            return image.sub_(0.5).div_(0.25), labels[index]

    return torch.utils.data.DataLoader(Images(), BATCH, shuffle=True, num_workers=workers)


def epoch(loader: Iterable[Any]) -> float:
    """Return the number of images per second in an epoch, including its start."""
    start, seen = time.perf_counter(), 0
    for data, _ in loader:
        assert data.shape[1:] == (1, 28, 28)
        seen += len(data)
    assert seen == IMAGES
    return seen / (time.perf_counter() - start)


def main() -> None:
    package = sys.argv[1]
    loaders: dict[str, Iterable[Any]] = {}
    print("ready", importlib.import_module(package).__version__, flush=True)
    for line in sys.stdin:
        number, how = line.split()
        if line not in loaders:
            loaders.clear()  # workers of another loader would wait beside these
            workers = int(number)
            loaders[line] = torch_loader(workers) if package == "torch" else gluon_loader(package, workers, how)
            epoch(loaders[line])
        print(epoch(loaders[line]), flush=True)


if __name__ == "__main__":
    main()
