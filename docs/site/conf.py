"""How Sphinx makes the site: see build.py, which writes what is read here and calls Sphinx for each language."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from d2lhybrid import __version__
from d2lhybrid.internals.pictures.theme import MONOSPACE, PALETTE, SANS

project = "d2lhybrid"
release = version = __version__
copyright = ""
extensions = ["myst_nb", "sphinx_copybutton", "site_extension"]

# --- what is read ---

exclude_patterns = ["files"]  # notebooks to download, which html_extra_path takes along
myst_enable_extensions = ["dollarmath"]
myst_heading_anchors = 4
myst_links_external_new_tab = False
nb_execution_mode = "off"  # lessons.py has run them
nb_ipywidgets_js = {}  # our pictures bring their own script; those of ipywidgets would be fetched from elsewhere
nb_merge_streams = True
nb_render_markdown_format = "myst"
suppress_warnings = ["misc.highlighting_failure"]  # programs of error pages are wrong on purpose
toc_object_entries = True
toc_object_entries_show_parents = "hide"
add_function_parentheses = False
smartquotes = False  # a default of 'same' stays as one would write it

# --- what it looks like ---

html_theme = "furo"
html_title = "d2lhybrid"
html_static_path = ["static"]
templates_path = ["templates"]
locale_dirs = ["../locale"]  # beside what is read: build.py writes there what the theme says in Chinese
gettext_auto_build = True
html_css_files = ["site.css"]
html_js_files = [("site.js", {"loading_method": None, "priority": 100})]
html_show_sphinx = False
html_show_copyright = False
html_copy_source = False
html_show_search_summary = False  # it would be fetched, which a page on a disk may not
html_last_updated_fmt = None
copybutton_exclude = ".linenos, .gp, .go"
copybutton_prompt_text = r">>> |\.\.\. "
copybutton_prompt_is_regexp = True
pygments_style, pygments_dark_style = "xcode", "github-dark"
html_sidebars = {
    "**": [
        "sidebar/brand.html", "languages.html", "sidebar/search.html", "sidebar/scroll-start.html",
        "sidebar/navigation.html", "sidebar/scroll-end.html",
    ]
}  # fmt: skip


def _colours(which: int) -> dict[str, str]:
    accent, paper, panel, ink = (PALETTE[name][which] for name in ("accent", "paper", "panel", "ink"))
    return {
        "color-brand-primary": accent, "color-brand-content": accent, "color-brand-visited": accent,
        "color-background-primary": paper, "color-background-secondary": panel, "color-foreground-primary": ink,
        "color-foreground-secondary": PALETTE["muted"][which], "color-foreground-muted": PALETTE["muted"][which],
        "color-background-border": PALETTE["rule"][which], "color-code-background": panel,
        "font-stack": SANS, "font-stack--monospace": MONOSPACE,
    }  # fmt: skip


html_theme_options = {
    "light_css_variables": _colours(0), "dark_css_variables": _colours(1),
    "top_of_page_buttons": [], "navigation_with_keys": True,
}  # fmt: skip
