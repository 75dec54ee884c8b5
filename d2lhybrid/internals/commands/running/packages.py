"""A function that returns the pip package of an imported module."""

from __future__ import annotations

__all__ = ["package_of"]

_OTHER_NAMES = {
    "cv2": "opencv-python-headless", "PIL": "pillow", "skimage": "scikit-image", "sklearn": "scikit-learn",
    "yaml": "pyyaml", "dateutil": "python-dateutil", "bs4": "beautifulsoup4", "mpl_toolkits": "matplotlib",
    "Image": "pillow", "google": "protobuf", "git": "gitpython",
}  # fmt: skip
_LIKE_PIP = {"matplotlib", "pandas", "scipy", "tqdm", "gluoncv", "gluonnlp", "requests", "seaborn", "six", "graphviz",
             "nltk", "h5py", "IPython", "ipywidgets", "joblib", "librosa", "gym",
             "easydict", "tensorboardX", "mxboard", "sacremoses", "spacy", "numba", "onnx",
             "torch", "tensorflow", "keras", "Cython", "lmdb", "flask", "psutil"}  # fmt: skip


def package_of(module: str) -> str:
    """Return the name of the package that provides a module.

    Parameters
    ----------
    module : str
        The module that a program imports.

    Returns
    -------
    str
        The name; empty if it is unknown.

    Examples
    --------
    >>> package_of("cv2"), package_of("tqdm"), package_of("my_helpers")
    ('opencv-python-headless', 'tqdm', '')
    """
    return _OTHER_NAMES.get(module) or (module.lower() if module in _LIKE_PIP else "")
