"""Well-known networks for images, by function (``resnet18_v1()``) or by name (``get_model``)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from . import alexnet as _alexnet
from . import densenet, inception, mobilenet, resnet, squeezenet, vgg
from .alexnet import *  # noqa: F403
from .densenet import *  # noqa: F403
from .inception import *  # noqa: F403
from .mobilenet import *  # noqa: F403
from .resnet import *  # noqa: F403
from .squeezenet import *  # noqa: F403
from .vgg import *  # noqa: F403

__all__ = ["get_model"]
__all__ += _alexnet.__all__
__all__ += densenet.__all__
__all__ += inception.__all__
__all__ += mobilenet.__all__
__all__ += resnet.__all__
__all__ += squeezenet.__all__
__all__ += vgg.__all__

_MODELS: dict[str, Callable[..., Any]] = {
    "alexnet": _alexnet.alexnet,
    "inceptionv3": inception.inception_v3,
    "squeezenet1.0": squeezenet.squeezenet1_0,
    "squeezenet1.1": squeezenet.squeezenet1_1,
    **{f"densenet{n}": getattr(densenet, f"densenet{n}") for n in (121, 161, 169, 201)},
    **{f"vgg{n}{bn}": getattr(vgg, f"vgg{n}{bn}") for n in (11, 13, 16, 19) for bn in ("", "_bn")},
    **{f"resnet{n}_v{v}": getattr(resnet, f"resnet{n}_v{v}") for n in (18, 34, 50, 101, 152) for v in (1, 2)},
    **{
        f"{name}{m}": getattr(mobilenet, f"{function}{m.replace('.', '_')}")
        for name, function in (("mobilenet", "mobilenet"), ("mobilenetv2_", "mobilenet_v2_"))
        for m in ("1.0", "0.75", "0.5", "0.25")
    },
}


def get_model(name: str, **kwargs: Any) -> Any:
    """Create the network that has the given name.

    Parameters
    ----------
    name : str
        Name of the network, such as ``"resnet18_v1"``, ``"vgg16_bn"``, or ``"mobilenet0.5"``.
    **kwargs
        Arguments of the network: ``classes``, ``pretrained``, ``ctx``, ``root``, and others.

    Returns
    -------
    HybridBlock
        The network.

    Raises
    ------
    ValueError
        If there is no network of that name. The message lists all names.
    """
    function = _MODELS.get(name.lower())
    if function is None:
        raise ValueError(
            f"Model {name.lower()} is not supported. Available options are\n\t" + "\n\t".join(sorted(_MODELS))
        )
    return function(**kwargs)
