"""The palette of all drawings, for light and dark pages.

The hues are from the palette of Okabe and Ito, which color-blind readers can distinguish. Words, signs, or patterns
always carry the same information as colors.
"""

from __future__ import annotations

__all__ = ["FAMILIES", "MONOSPACE", "PALETTE", "SANS", "style_sheet", "tint"]

MONOSPACE = "ui-monospace, 'SF Mono', Menlo, Consolas, 'DejaVu Sans Mono', monospace"
SANS = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', 'Noto Sans', 'Noto Sans CJK SC', sans-serif"

#: Name -> color on light and on dark pages. Every text color has a contrast of at least 4.5 : 1 with ``paper``.
PALETTE: dict[str, tuple[str, str]] = {
    "ink": ("#1d2329", "#e6e9ec"),
    "muted": ("#5b6570", "#a3adb8"),
    "faint": ("#68727b", "#8e98a3"),  # lines of a program that did not run
    "paper": ("#ffffff", "#14181c"),
    "panel": ("#f5f7f9", "#1d2329"),
    "rule": ("#d5dbe1", "#3a434c"),
    "accent": ("#0060a0", "#6cb8f0"),  # buttons and focused elements
    "eager": ("#9a5b00", "#f0b040"),  # ran with arrays
    "traced": ("#0068a8", "#62b5ea"),  # recorded: ran with symbols
    "compiled": ("#00704f", "#3cc79b"),  # the compiled program
    "frozen": ("#9c3a77", "#e29ac5"),  # constants of the trace
    "error": ("#b43d00", "#ff8a50"),
    "keyword": ("#8a3ea0", "#c792ea"),
    "string": ("#47701b", "#a5d076"),
    "number": ("#9a4a00", "#f0a860"),
    "comment": ("#66707a", "#8e98a3"),
}

#: Distinguishable colors of operator families and other categories, on light and on dark pages.
FAMILIES: list[tuple[str, str]] = [
    ("#0072b2", "#56a9e0"),
    ("#d55e00", "#f08a44"),
    ("#009e73", "#35c99c"),
    ("#a8568a", "#dd96c1"),
    ("#b07d00", "#e6b432"),
    ("#3f8fb8", "#8ad0f5"),
    ("#6f6f6f", "#a9a9a9"),
    ("#5f50a8", "#a598ea"),
    ("#5f7a1f", "#a9cf5c"),
]


def tint(name: str, alpha: float = 0.2) -> str:
    """Return a background color with a low opacity, so that text is readable on light and on dark pages.

    Examples
    --------
    >>> tint("traced")
    'rgba(49, 142, 201, 0.2)'
    """
    light, dark = PALETTE[name]
    red, green, blue = ((int(light[i : i + 2], 16) + int(dark[i : i + 2], 16)) // 2 for i in (1, 3, 5))
    return f"rgba({red}, {green}, {blue}, {alpha})"


#: Selectors that indicate a dark theme in JupyterLab, Notebook, nbconvert, Voila, VS Code, and Colab.
_DARK = (
    '[data-jp-theme-light="false"] .d2l',
    "body.theme-dark .d2l",
    "body.vscode-dark .d2l",
    "html[theme=dark] .d2l",
)

#: Colors that follow JupyterLab's theme.
_JUPYTER = {
    "ink": "--jp-content-font-color1",
    "paper": "--jp-layout-color1",
}


def style_sheet() -> str:
    """Return the palette as CSS variables: ``--d2l-ink``, ``--d2l-traced``, ``--d2l-family-0`` ..."""
    sheets = []
    for i, selector in ((0, ".d2l"), (1, ", ".join(_DARK))):
        lines = [f"--d2l-{n}: {f'var({_JUPYTER[n]}, {c[i]})' if n in _JUPYTER else c[i]};" for n, c in PALETTE.items()]
        lines += [f"--d2l-family-{k}: {c[i]};" for k, c in enumerate(FAMILIES)]
        sheets.append(f"{selector} {{ {' '.join(lines)} }}")
    fonts = f".d2l {{ --d2l-mono: var(--jp-code-font-family, {MONOSPACE}); --d2l-sans: {SANS}; }}"
    return "\n".join([*sheets, fonts, ""])
