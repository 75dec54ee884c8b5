"""Print which files of old versions load, compute and are written back, and write the table of docs/old_files.md.

python -m tests.old_files                                       # files of every version, which lie here
python -m tests.old_files --git-dir CLONE [--real PYTHON]       # files in somebody's repository, beside real MXNet
"""

from __future__ import annotations

import argparse
from pathlib import Path

from .page import TABLE, table, with_table
from .repositories import rows


def main() -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(prog="make old-files", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--git-dir", type=Path, action="append", default=[], help="a clone with files of MXNet's")
    parser.add_argument("--commit", default="HEAD", help="which version of it (default: %(default)s)")
    parser.add_argument("--real", type=Path, metavar="PYTHON", help="the interpreter of real MXNet, to compare with")
    arguments = parser.parse_args()
    if arguments.git_dir:
        print("| file | loads | computes | is saved again |\n| --- | --- | --- | --- |")
        for git_directory in arguments.git_dir:
            print("\n".join(rows(git_directory, arguments.commit, arguments.real)))
        return
    print(table(), end="")
    TABLE.write_text(with_table(TABLE.read_text("utf-8")), "utf-8")


if __name__ == "__main__":
    main()
