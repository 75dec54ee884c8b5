"""Count what of MXNet's public surface is here, and write the section of ``docs/compatibility.md``."""

from __future__ import annotations

from .compare import compare
from .page import PAGE, with_section

found = compare()
print(f"names        {found.names - len(found.missing_names):5} of {found.names}")
print(f"members      {found.members - len(found.missing_members):5} of {found.members}")
same = found.signatures - len(found.other_signatures)
print(f"signatures   {same:5} of {found.signatures}, and {found.wider} that take every call of MXNet's")
PAGE.write_text(with_section(PAGE.read_text("utf-8"), found), "utf-8")
