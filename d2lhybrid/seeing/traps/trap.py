"""What is known of one trap, and the form of its examples."""

from __future__ import annotations

import re
import textwrap
from dataclasses import dataclass

__all__ = ["Trap", "block", "runnable"]

#: What an example needs -> the line that brings it.
_IMPORTS = {
    r"\brandom\.(?:random|seed)": "import random",
    r"\bos\.": "import os",
    r"\btime\.": "import time",
    r"\bnumpy\.": "import numpy",
    r"\bmx\.": "import d2lhybrid as mx",
    r"\bautograd\.": "from d2lhybrid import autograd",
    r"\bgluon\.": "from d2lhybrid import gluon",
    r"(?<!mx\.)\bnd\.": "from d2lhybrid import nd",
    r"(?<!mx\.)\bnpx\.": "from d2lhybrid import np, npx",
    r"\bnn\.": "from d2lhybrid.gluon import nn",
}
_INPUT = "x = nd.array([[1, 2, 3], [4, 5, 6]])"


@dataclass(frozen=True)
class Trap:
    """One trap of hybridization: the numbered page, and all that tools know of it.

    Attributes
    ----------
    number : str
        ``"H01"``: below 50 an error, from 51 on a difference that raises nothing.
    name : str
        The rest of the page's file name.
    title : str
        One line.
    trap, reason, remedy : str
        What happens, why, and what to do: a few sentences each.
    wrong, right : str
        Programs. The first falls into the trap, the second does what was meant.
    message : str
        For errors: what the wrong program raises, its type and its first line. Empty for silent traps.
    rows : tuple of str
        The rows of ``support/remedies.py`` that belong to it.
    patterns : tuple of str
        Regular expressions for ``"Type: message"`` of errors that carry no such row.
    kinds : tuple of str
        Kinds of findings of ``check_hybridization``.
    """

    number: str
    name: str
    title: str
    trap: str
    reason: str
    remedy: str
    wrong: str
    right: str
    message: str = ""
    rows: tuple[str, ...] = ()
    patterns: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()

    @property
    def file_name(self) -> str:
        """The page's name in ``docs/errors``."""
        return f"{self.number}-{self.name}.md"

    @property
    def silent(self) -> bool:
        """Whether nothing is raised."""
        return not self.message


def block(body: str, arguments: str = "x", init: str = "", call: str = "net(x)") -> str:
    """Return the program of a net with this ``hybrid_forward``, hybridized and called.

    Examples
    --------
    >>> print(block("return x * 2"))
    class Net(nn.HybridBlock):
        def hybrid_forward(self, F, x):
            return x * 2
    <BLANKLINE>
    <BLANKLINE>
    net = Net()
    net.hybridize()
    net(x)
    """
    lines = ["class Net(nn.HybridBlock):"]
    if init:
        lines += ["    def __init__(self):", "        super().__init__()", textwrap.indent(init, " " * 8), ""]
    lines += [f"    def hybrid_forward(self, F, {arguments}):", textwrap.indent(body, " " * 8), "", "", "net = Net()"]
    if "nn." in init or "params" in init:
        lines.append("net.initialize()")
    return "\n".join([*lines, "net.hybridize()", call])


def runnable(code: str) -> str:
    """Return a program with its imports, and with an input where it makes none.

    Examples
    --------
    >>> print(runnable("net = nn.Dense(2)"))
    from d2lhybrid.gluon import nn
    <BLANKLINE>
    net = nn.Dense(2)
    """
    before = ""
    if re.search(r"\bx\b", code) and not re.search(r"^x = (?!x\b)", code, flags=re.MULTILINE):
        before = f"{_INPUT}\n\n"
    imports = [line for pattern, line in _IMPORTS.items() if re.search(pattern, before + code)]
    program = before + code
    program = re.sub(r"\n+(?=(?:class|def) )", "\n\n\n", program)
    gap = ["", ""] if program.startswith(("class", "def")) else [""]
    return "\n".join([*imports, *gap, program])
