"""Write the notebooks of the exercises: ``python -m my_course``."""

from pathlib import Path

from d2lhybrid.exercises.making import write_notebooks

from . import CHAPTERS

if __name__ == "__main__":
    for path in write_notebooks(CHAPTERS, Path(__file__).resolve().parent.parent / "notebooks"):
        print(path)
