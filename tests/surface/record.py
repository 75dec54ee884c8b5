"""Record the public names of MXNet 1.9.1, with its own interpreter: ``python tests/surface/record.py OUT.json.gz``.

A file holds ``{module: {name: [kind, parameters or null, {member: parameters or null}]}}``, and of each parameter its
name, its kind (Python's number) and its default as text, empty if there is none. Names that only leak from the imports
of a module are left out.
"""

import gzip
import importlib
import inspect
import json
import os
import pkgutil
import re
import sys
import types
import warnings

#: Not importable, without a name that a program uses, or compiled.
LEFT_OUT = {
    "mxnet." + name
    for name in (
        *("_api_internal", "_ctypes", "_cy3", "_ffi", "_global_var", "_numpy_op_doc"),
        *("api", "base", "contrib.amp.lists", "contrib.onnx", "contrib.quantization", "contrib.tensorboard"),
        *("contrib.tensorrt", "cython", "engine", "executor_manager", "kvstore_server", "kvstore.kvstore_server"),
        *("libinfo", "library", "log", "misc", "module.executor_group", "ndarray_doc"),
        *(
            "notebook",
            "numpy.arrayprint",
            "numpy.fallback",
            "numpy.fallback_linalg",
            "numpy.stride_tricks",
            "numpy_dispatch_protocol",
        ),
        *("numpy_op_fallback", "numpy_op_signature", "onnx", "rtc", "space", "symbol_doc"),
        *("torch", "tvmop"),
    )
}
LEAKS = {
    *("check_call", "classproperty", "integer_types", "numeric_types", "ss", "string_types", "tensor_types"),
    "with_metaclass",
}
#: Where modules that are not recorded are names that programs use.
PACKAGES = {"mxnet", "mxnet.contrib"}


def parameters(value):
    """Return what there is to say of a function's parameters, None if Python cannot tell."""
    try:
        signature = inspect.signature(value)
    except (TypeError, ValueError):
        return None
    return [[p.name, int(p.kind), text(p.default, p.empty)] for p in signature.parameters.values()]


def text(default, nothing):
    """Return a default as text that is the same on every machine."""
    if default is nothing:
        return ""
    if isinstance(default, types.ModuleType):
        return f"<module {default.__name__}>"
    return re.sub(r" at 0x[0-9a-f]+", "", repr(default)).replace(os.path.expanduser("~"), "~")


def members(cls):
    """Return the public members of a class with their parameters, without those of Python's own classes."""
    own = [base for base in cls.__mro__ if base is not object and base.__module__ != "builtins"]
    names = sorted({name for base in own for name in vars(base) if not name.startswith("_")})
    found = {}
    for name in names:
        try:
            value = getattr(cls, name)
        except AttributeError:  # what only an instance has
            value = None
        found[name] = parameters(value) if callable(value) else None
    return found


def belongs(value, name, module, public):
    """Tell whether a name is of this module, and no leak."""
    home = getattr(value, "__module__", None)
    if name in public:
        return True
    if hasattr(module, "__all__"):
        return (home or "").startswith("mxnet") and (home == module.__name__ or hasattr(module, "__path__"))
    if home is None or home == module.__name__ or module.__name__ == "mxnet":
        return home is None or home.startswith("mxnet")
    return hasattr(module, "__path__") and home.startswith(module.__name__)


def names_of(module):
    """Return the record of one module."""
    public = getattr(module, "__all__", ())
    found = {}
    for name in sorted(dir(module)):
        if name in LEAKS or (name.startswith("_") and name not in public):
            continue
        value = getattr(module, name, None)
        if isinstance(value, types.ModuleType):
            inside = value.__name__ == f"{module.__name__}.{name}" and not left_out(value.__name__)
            if value.__name__.startswith("mxnet") and (inside or module.__name__ in PACKAGES):
                found[name] = ["module", None, {}]
        elif belongs(value, name, module, public):
            kind = "class" if inspect.isclass(value) else "function" if callable(value) else "value"
            found[name] = [kind, parameters(value), members(value) if kind == "class" else {}]
    return found


def left_out(name):
    """Tell whether a module is not recorded."""
    last = name.rpartition(".")[2]
    inside = last.startswith(("gen_", "_")) or last == "register"
    return name in LEFT_OUT or inside or (last == "utils" and name != "mxnet.gluon.utils")


def visit(name, out):
    """Record a module and those below it."""
    if left_out(name):
        return
    try:
        module = importlib.import_module(name)
    except Exception as error:  # what cannot be imported has no names
        print(name, "cannot be imported:", repr(error)[:100])
        return
    out[name] = names_of(module)
    for below in pkgutil.iter_modules(getattr(module, "__path__", ())):
        visit(f"{name}.{below.name}", out)


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    surface = {}
    visit("mxnet", surface)
    with open(sys.argv[1], "wb") as stream, gzip.GzipFile("", "wb", fileobj=stream, mtime=0) as packed:
        packed.write(json.dumps(surface, sort_keys=True).encode())
    print(len(surface), "modules,", sum(map(len, surface.values())), "names")
