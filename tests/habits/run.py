"""Run the statements of one library, each in turn, and print what came of each as JSON: ``python run.py LIBRARY with``.

For each: the error, empty if there was none, and how many things that are gone it relied on.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
import warnings
from pathlib import Path
from typing import Any

#: Library -> what has to be importable for it.
MODULES = {
    "python": "os", "numpy": "numpy", "matplotlib": "matplotlib", "ipython": "IPython", "pillow": "PIL",
    "pandas": "pandas", "scipy": "scipy", "scikit-learn": "sklearn", "opencv": "cv2",
    "h5py": "h5py",
}  # fmt: skip

#: What every statement finds.
BEGIN = """
import array, collections, fractions, inspect, json as j, random, threading, time
import xml.etree.ElementTree as ET
import numpy, numpy as np
"""
OF = {
    "matplotlib": "import matplotlib; matplotlib.use('agg'); import matplotlib.pyplot as plt",
    "pandas": "import pandas as pd; df = pd.DataFrame({'a': [1.0, 2.0, None], 'b': ['x', 'y', None]})",
}

#: An array of two bytes, 128 and 255, as Python 2 has pickled it.
PYTHON2 = (
    b"\x80\x02cnumpy.core.multiarray\n_reconstruct\ncnumpy\nndarray\nK\x00\x85U\x01b\x87R(K\x01K\x02\x85cnumpy\n"
    b"dtype\nU\x02u1K\x00K\x01\x87R(K\x03U\x01|NNNJ\xff\xff\xff\xffJ\xff\xff\xff\xffK\x00tb\x89U\x02\x80\xfftb."
)


def statements(library: str) -> list[str]:
    """Return the statements of one library."""
    text = Path(__file__).with_name("statements.txt").read_text("utf-8")
    return [line for line in text.partition(f"[{library}]\n")[2].partition("\n[")[0].splitlines() if line]


def main() -> None:
    """Run the statements of the library that the command line names."""
    library, how = sys.argv[1:]
    warnings.simplefilter("ignore")
    warnings.filterwarnings("error", message="The names that .* had in 2019 could not be restored")
    relied: Any = ()
    if how == "with":
        import d2lhybrid
        from d2lhybrid.internals.commands.running.habits import RELIED as relied

        d2lhybrid.as_mxnet(habits=True)
    names: dict[str, Any] = {"PYTHON2": PYTHON2, "__name__": "__main__"}
    exec(BEGIN + OF.get(library, ""), names)
    results = []
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        Path("table.csv").write_text("a\tb\n1\t2\n", "utf-8")
        for statement in statements(library):
            before, error = len(relied), ""
            if relied:
                relied.clear()
                before = 0
            try:
                exec(compile(statement, "<statement>", "exec"), names)
            except Exception as raised:
                error = f"{type(raised).__name__}: {raised}"
            results.append([statement, error, len(relied) - before])
            if "plt" in names:
                names["plt"].close("all")
        os.chdir("/")
    print(json.dumps(results))


if __name__ == "__main__":
    main()
