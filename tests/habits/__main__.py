"""Run the statements of all libraries with what is installed, and print what each refuses and what is given back."""

from __future__ import annotations

import sys

from .checking import check, installed


def main() -> int:
    """Check every library that is here."""
    status = 0
    for library in installed():
        count, refused, wrong = check(library)
        print(f"{library}: {count} statements, {refused} refused without habits, {len(wrong)} wrong with them")
        for line in wrong:
            print(f"    {line}")
        status |= bool(wrong)
    return status


if __name__ == "__main__":
    sys.exit(main())
