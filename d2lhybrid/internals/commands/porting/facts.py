"""Facts about names in old programs: which exist, which are restored, and which access the network.

This module queries other modules: ``support/absent.py`` defines the missing names of MXNet, ``running/habits`` the
restored names, and ``running/python2.py`` the names of Python 2.
"""

from __future__ import annotations

import functools
import importlib
import importlib.metadata
import importlib.util
import json
import os
import re
import subprocess
import sys
import types
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from d2lhybrid.internals.commands.running.habits.restoring import Restored
from d2lhybrid.internals.support.absent import reason
from d2lhybrid.internals.support.package import FOLDER, NAME

__all__ = [
    "BOOKS", "DATA_SETS", "DOWNLOADS", "ENGINES", "FILES", "FILE_ARGUMENTS", "LOADING", "MAKING_ARRAYS", "MXNET",
    "READERS", "SAVING", "Habits", "absent", "function_of", "has_windows", "is_download", "is_there",
    "looks_like_a_file", "missing_in_a_library", "names_of_arrays", "names_of_star", "shared_methods", "words_of",
]  # fmt: skip

#: Names under which programs import this package.
MXNET = ("mxnet", "d2lhybrid")

#: Names of the books' packages, and our modules that replace them.
BOOKS = {"d2l": "d2l", "d2lzh": "d2lzh", "gluonbook": "d2lzh"}

#: Methods that read a file of parameters or states; the names of such files often have no suffix.
LOADING = {"load_parameters", "load_params", "load_states", "load_optimizer_states"}

#: Functions that access the network; a star matches any end of a name.
DOWNLOADS = (
    "urllib.request.urlretrieve", "urllib.request.urlopen", "urllib.request.URLopener", "urllib.urlretrieve",
    "urllib.urlopen", "urllib2.urlopen", "requests.get", "requests.post", "requests.Session", "wget.download",
    "gdown.download", "nltk.download", "mxnet.gluon.utils.download", "mxnet.test_utils.download",
    "mxnet.test_utils.get_mnist", "mxnet.test_utils.get_mnist_iterator", "mxnet.test_utils.get_mnist_ubyte",
    "mxnet.test_utils.get_mnist_pkl", "mxnet.test_utils.get_cifar10", "mxnet.test_utils.get_zip_data",
    "mxnet.test_utils.get_bz2_data", "mxnet.gluon.data.vision.MNIST", "mxnet.gluon.data.vision.FashionMNIST",
    "mxnet.gluon.data.vision.CIFAR10", "mxnet.gluon.data.vision.CIFAR100", "mxnet.gluon.contrib.data.text.WikiText*",
    "mxnet.contrib.text.embedding.create", "mxnet.contrib.text.embedding.GloVe",
    "mxnet.contrib.text.embedding.FastText", "mxnet.gluon.model_zoo.model_store.get_model_file", "d2l.*.download*",
    "d2l.*.load_data_*", "d2l.*read_*", "d2l.download*", "d2l.load_data_*", "d2l.*get_data_ch*", "d2l.*FashionMNIST",
    "d2lzh.load_data_*", "d2lzh.get_data_ch*", "d2lzh.read_*", "d2lzh.download*", "sklearn.datasets.fetch_*",
    "torchvision.datasets.*", "keras.datasets.*",
)  # fmt: skip

#: Data sets that are downloaded, in any module.
DATA_SETS = frozenset(["MNIST", "FashionMNIST", "CIFAR10", "CIFAR100", "WikiText2", "WikiText103"])

#: Functions whose first argument is the name of a file to read -> suffix of the file name.
FILES = {
    **dict.fromkeys(
        [
            "open", "io.open", "numpy.load", "numpy.loadtxt", "numpy.genfromtxt", "pandas.read_csv",
            "pandas.read_excel", "pandas.read_table", "pandas.read_json", "mxnet.nd.load", "mxnet.ndarray.load",
            "mxnet.sym.load", "mxnet.symbol.load", "mxnet.npx.load", "mxnet.image.imread",
            "mxnet.gluon.SymbolBlock.imports", "mxnet.gluon.nn.SymbolBlock.imports", "cv2.imread",
            "matplotlib.pyplot.imread", "matplotlib.image.imread", "PIL.Image.open", "scipy.misc.imread",
            "imageio.imread", "skimage.io.imread", "os.listdir", "mxnet.recordio.MXRecordIO",
            "mxnet.recordio.MXIndexedRecordIO", "scipy.io.loadmat", "mxnet.gluon.data.vision.ImageFolderDataset",
            "mxnet.gluon.data.RecordFileDataset", "mxnet.gluon.data.vision.ImageRecordDataset", "codecs.open",
            "gzip.open", "tarfile.open", "zipfile.ZipFile", "numpy.fromfile", "numpy.memmap", "h5py.File",
            "glob.glob", "os.walk", "os.scandir", "scipy.io.wavfile.read", "soundfile.read", "librosa.load",
            "wave.open", "os.chdir", "shutil.copy", "shutil.copyfile", "shutil.move", "pandas.read_hdf",
            "pandas.read_pickle", "pandas.read_parquet", "sklearn.datasets.load_svmlight_file",
        ],
        "",
    ),
    **dict.fromkeys(
        ["mxnet.model.load_checkpoint", "mxnet.mod.Module.load", "mxnet.model.FeedForward.load"], "-symbol.json"
    ),
}  # fmt: skip

#: Keywords of arguments that name a file to read.
FILE_ARGUMENTS = ("file", "filename", "fname", "path", "filepath_or_buffer", "io", "root", "prefix", "symbol_file",
                  "param_file")  # fmt: skip

#: Readers of MXNet -> keywords of the arguments that name their files.
READERS = {
    **dict.fromkeys(
        [f"mxnet.{module}.{name}" for module in ("io", "image", "img", "image.detection", "io.io")
         for name in ("ImageRecordIter", "ImageRecordIter_v1", "ImageRecordUInt8Iter", "ImageRecordInt8Iter",
                      "ImageDetRecordIter", "ImageIter", "ImageDetIter")],
        ("path_imgrec", "path_imglist", "path_imgidx", "path_root"),
    ),
    "mxnet.io.CSVIter": ("data_csv", "label_csv"),
    "mxnet.io.MNISTIter": ("image", "label"),
    "mxnet.io.LibSVMIter": ("data_libsvm", "label_libsvm"),
}  # fmt: skip

#: Functions that return one array.
MAKING_ARRAYS = {
    f"mxnet.{space}.{name}"
    for space in ("nd", "ndarray", "np", "numpy")
    for name in ("array", "zeros", "ones", "arange", "full", "eye", "dot", "concat", "concatenate", "random.normal",
                 "random.uniform", "random_normal", "random_uniform")
}  # fmt: skip

#: Functions and methods that write a file to a folder that must exist.
SAVING = {"save_parameters", "save_params", "save_states", "save_optimizer_states", "save_checkpoint", "savefig",
          "imsave", "to_csv", "export", "savetxt", "savez", "save", "FileHandler", "do_checkpoint"}  # fmt: skip

#: Function of pandas -> suffix of a file -> packages that reading the file requires.
ENGINES = {
    "pandas.read_excel": {".xls": ("xlrd",), ".xlsx": ("openpyxl",)},
    "pandas.read_hdf": dict.fromkeys(("", ".h5", ".hdf5", ".hdf"), ("tables",)),
    "pandas.read_parquet": dict.fromkeys(("", ".parquet"), ("pyarrow",)),
}

_FILE = re.compile(
    r"[A-Za-z]:[\\/]\S+|(?:\.{1,2}/|/|~/)[\w./-]+|(?:[\w.-]+/)+|data/[\w./-]+"
    r"|[\w./-]+\.(?:txt|csv|tsv|rec|idx|lst|params|json|npy|npz|jpe?g|png|pkl|pickle|h5|hdf5|zip|tar|t?gz|wav|mat|bin"
    r"|data|mp4|xml|caffemodel|prototxt)"
)


def looks_like_a_file(text: str) -> bool:
    r"""Return whether a string in a program names a file or a folder.

    Parameters
    ----------
    text : str
        The string.

    Returns
    -------
    bool
        Whether the string looks like a path.

    Examples
    --------
    >>> [looks_like_a_file(text) for text in ("./data/ptb.txt", "train.rec", "loss", "image/png", ".json")]
    [True, True, False, False, False]
    >>> looks_like_a_file(r"E:\data\train.txt")
    True
    """
    return bool(_FILE.fullmatch(text)) and len(text) < 200 and bool(re.search(r"\w[/.\\]|:", text))


def is_download(dotted: str) -> bool:
    """Return whether a function accesses the network.

    Parameters
    ----------
    dotted : str
        The dotted name of the function.

    Returns
    -------
    bool
        Whether the function accesses the network.

    Examples
    --------
    >>> is_download("mxnet.gluon.utils.download"), is_download("mxnet.nd.ones")
    (True, False)
    """
    import fnmatch

    top, _, rest = dotted.partition(".")
    dotted = f"{BOOKS.get(top, top)}.{rest}" if rest else dotted
    return any(fnmatch.fnmatchcase(dotted, pattern) for pattern in DOWNLOADS)


# --- MXNet's names in this package ------------------------------------------------------------------------------------


@functools.cache
def absent(dotted: str) -> tuple[str, str] | None:
    """Return the shortest prefix of an MXNet name that this package lacks, and the reason.

    Parameters
    ----------
    dotted : str
        The name without ``mxnet.``, such as ``"nd.contrib.quantize"``.

    Returns
    -------
    tuple of (str, str), or None
        The missing prefix and the reason, or None if this package has the complete name.

    Examples
    --------
    >>> absent("nd.relu")
    >>> absent("rtc.CudaModule")[0]
    'mx.rtc'
    """
    found: Any = importlib.import_module(NAME)
    parts = dotted.split(".") if dotted else []
    for count, part in enumerate(parts):
        if not isinstance(found, (types.ModuleType, type)):
            return None
        try:
            found = getattr(found, part)
            continue
        except Exception as error:  # ImportError, AttributeError, and the errors of modules that can't be imported
            told = _told(error)
        home = getattr(found, "__name__", NAME)
        if isinstance(found, types.ModuleType):
            try:
                found = importlib.import_module(f"{home}.{part}")
                continue
            except Exception as error:
                told = told or _told(error)
            told = told or reason(home.removeprefix(NAME).removeprefix("."), part)
        return ".".join(["mx", *parts[: count + 1]]), told
    return None


def function_of(dotted: str) -> Any:
    """Return the function or class with a name of MXNet, or None if there is no such function or class.

    Parameters
    ----------
    dotted : str
        The name without ``mxnet.``, such as ``"gluon.nn.Dense"``.

    Returns
    -------
    callable or None
        The function or class.

    Examples
    --------
    >>> function_of("gluon.nn.Dense").__name__, function_of("nd")
    ('Dense', None)
    """
    found: Any = importlib.import_module(NAME)
    for part in dotted.split("."):
        found = getattr(found, part, None) if isinstance(found, (types.ModuleType, type)) else None
    return found if isinstance(found, (type, types.FunctionType)) else None


def _told(error: BaseException) -> str:
    """Return the part of an error's message about an MXNet name."""
    for text in [*getattr(error, "__notes__", ()), str(error)]:
        begin = text.find("MXNet has it")
        if begin >= 0:
            return text[begin:]
    return ""


@functools.cache
def shared_methods() -> frozenset[str]:
    """Return the names of all attributes of Python's built-in types and of MXNet's main classes.

    A method call with such a name doesn't show that the object belongs to another library.

    Returns
    -------
    frozenset of str
        The names.
    """
    mx = importlib.import_module(NAME)
    kinds: list[type] = [str, bytes, list, dict, set, tuple, int, float, mx.nd.NDArray, mx.sym.Symbol]
    kinds += [mx.gluon.HybridBlock, mx.gluon.Trainer, mx.mod.Module, mx.optimizer.Optimizer, mx.io.DataIter]
    return frozenset(name for kind in kinds for name in dir(kind))


@functools.cache
def names_of_arrays() -> frozenset[str]:
    """Return the names of the methods and attributes of MXNet's arrays.

    Examples
    --------
    >>> {"shape", "attach_grad", "asnumpy"} <= names_of_arrays(), "backwards" in names_of_arrays()
    (True, False)
    """
    mx = importlib.import_module(NAME)
    return frozenset(name for kind in (mx.nd.NDArray, mx.np.ndarray) for name in dir(kind))


def is_there(module: str) -> bool:
    """Return whether a module can be imported here.

    Names that exist only because of :func:`d2lhybrid.as_mxnet` don't count, because another process would lack them.

    Parameters
    ----------
    module : str
        First part of the module's name.

    Returns
    -------
    bool
        Whether the module exists.

    Examples
    --------
    >>> is_there("json"), is_there("no_such_module")
    (True, False)
    """
    if module in sys.stdlib_module_names and module not in _REMOVED:
        return True
    try:
        spec = importlib.util.find_spec(module)
    except (ImportError, ValueError, AttributeError):
        return False
    return spec is not None and not type(spec.loader).__module__.startswith(f"{NAME}.")


@functools.cache
def has_windows() -> bool:
    """Return whether the installed OpenCV can show windows.

    Returns
    -------
    bool
        Whether OpenCV can show windows. The result is also True if OpenCV is not installed.

    Examples
    --------
    >>> isinstance(has_windows(), bool)
    True
    """
    found = {name for name in ("opencv-python", "opencv-contrib-python", "opencv-python-headless",
                               "opencv-contrib-python-headless") if _is_installed(name)}  # fmt: skip
    return not found or any("headless" not in name for name in found)


def _is_installed(distribution: str) -> bool:
    try:
        importlib.metadata.version(distribution)
    except importlib.metadata.PackageNotFoundError:
        return False
    return True


@functools.cache
def names_of_star(module: str) -> frozenset[str]:
    """Return the names that ``from module import *`` binds for a module of MXNet.

    Parameters
    ----------
    module : str
        Name of the module.

    Returns
    -------
    frozenset of str
        Names of functions and classes; empty for modules of other packages.

    Examples
    --------
    >>> "get_mnist" in names_of_star("mxnet.test_utils"), names_of_star("os.path")
    (True, frozenset())
    >>> names_of_star("mxnet.__main__")  # programs don't import this module, and an import would run it
    frozenset()
    """
    top, _, rest = module.partition(".")
    parts = rest.split(".")
    if top not in MXNET or not rest or parts[0] == "internals" or any(part.startswith("_") for part in parts):
        return frozenset()
    try:
        found = importlib.import_module(f"{NAME}.{rest}")
    except Exception:  # the module doesn't exist, and another finding says so
        return frozenset()
    names = getattr(found, "__all__", None) or [name for name in dir(found) if not name.startswith("_")]
    return frozenset(name for name in names if callable(getattr(found, name, None)))


#: Libraries and modules of Python whose names are checked: an import of them has no effect that a user notices.
_CHECKED = frozenset(
    ["PIL", "cv2", "matplotlib", "numpy", "pandas", "scipy", "seaborn", "skimage", "sklearn",
     "collections", "copy", "csv", "datetime", "functools", "glob", "gzip", "io", "itertools", "json", "logging",
     "math", "multiprocessing", "operator", "pickle", "queue", "random", "re", "shutil", "string", "struct",
     "subprocess", "threading", "time"]
)  # fmt: skip


@functools.cache
def missing_in_a_library(dotted: str) -> str:
    """Return the shortest prefix of a dotted name that doesn't exist in an installed library or a module of Python.

    Parameters
    ----------
    dotted : str
        The name, such as ``"numpy.ones"``.

    Returns
    -------
    str
        The missing prefix; empty if the name exists, or if this function does not check the library.

    Examples
    --------
    >>> missing_in_a_library("numpy.one.more"), missing_in_a_library("numpy.linalg.norm")
    ('numpy.one', '')
    >>> missing_in_a_library("no_such_library.name")
    ''
    """
    parts = dotted.split(".")
    if parts[0] not in _CHECKED or not is_there(parts[0]):
        return ""
    try:
        found: Any = importlib.import_module(parts[0])
    except Exception:  # the library is broken, and the program will say so
        return ""
    for count, part in enumerate(parts[1:], 2):
        if not isinstance(found, types.ModuleType):
            return ""
        name = ".".join(parts[:count])
        try:
            found = getattr(found, part) if hasattr(found, part) else importlib.import_module(name)
        except ModuleNotFoundError as error:
            return name if error.name == name else ""
        except Exception:  # a module that needs another library or a screen
            return ""
    return ""


@functools.cache
def words_of(library: str) -> frozenset[str]:
    """Return all words in the source files of an installed library, including the names of its attributes.

    Parameters
    ----------
    library : str
        Name of the library.

    Returns
    -------
    frozenset of str
        The words; empty if the library is not installed.

    Examples
    --------
    >>> "Restored" in words_of("d2lhybrid"), words_of("no_such_library")
    (True, frozenset())
    """
    spec = importlib.util.find_spec(library) if is_there(library) else None
    folders = [Path(place) for place in (spec.submodule_search_locations or ())] if spec is not None else []
    if library == "matplotlib":
        folders += [folder.parent / "mpl_toolkits" for folder in folders]
    files = [file for folder in folders for ending in ("py", "pyi") for file in folder.rglob(f"*.{ending}")]
    return frozenset(word for file in files for word in re.findall(r"\w+", file.read_text("utf-8", "replace")))


#: Modules of the standard library that only some versions of Python have.
_REMOVED = frozenset(["asynchat", "asyncore", "cgi", "distutils", "imp", "pipes", "smtpd", "telnetlib", "crypt"])

# --- habits -----------------------------------------------------------------------------------------------------------


class Habits:
    """The removed names of Python and of some libraries that ``d2lhybrid run`` restores.

    Parameters
    ----------
    libraries : iterable of str
        Names of libraries that the programs import. A separate process checks the installed libraries.
    """

    def __init__(self, libraries: Iterable[str]) -> None:
        module = "d2lhybrid.internals.commands.running.habits.catalogue"
        path = os.pathsep.join(filter(None, [str(FOLDER.parent), os.environ.get("PYTHONPATH", "")]))
        done = subprocess.run(
            [sys.executable, "-m", module, *sorted(libraries)],
            env={**os.environ, "PYTHONPATH": path, "MPLBACKEND": "agg"},
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        lines = done.stdout.splitlines()
        rows = [Restored(*row) for row in json.loads(lines[-1])] if done.returncode == 0 and lines else []
        self.names = {f"{r.owner}.{r.name}": r.instead for r in rows if r.kind == "name"}
        self.modules = {r.name: r.instead for r in rows if r.kind == "module"}
        self.members: dict[str, list[Restored]] = {}
        for row in rows:
            if row.kind == "member":
                self.members.setdefault(row.name, []).append(row)
        #: Function name without its module -> argument -> rows.
        self.arguments: dict[tuple[str, str], list[Restored]] = {}
        for row in rows:
            if row.kind == "argument":
                self.arguments.setdefault((row.owner.rpartition(".")[2], row.name), []).append(row)
