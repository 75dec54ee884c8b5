"""The readers of chapters: which cells of a book's or a tutorial's text are run, and what is taken off them."""

from __future__ import annotations

import json

from tests.foreign.formats import READERS

BOOK = """
```{.python .input  n=1}
%load_ext d2lbook.tab
tab.interact_select(['mxnet', 'pytorch'])
```
Text with `code`, and a block that nobody runs:
```python
no = 1
```
```{.python .input}
#@tab pytorch
import torch
```
```{.python .input}
%%tab mxnet, pytorch
both = 2
```
``` {.python .input}
#@tab all
every = 3

print(every)
```
```{.python .input}
untold = 4
```
```{.json .output n=4}
[]
```
"""


def test_cells_of_a_book_are_those_of_the_library_and_of_all():
    assert READERS["tabs"](BOOK, "mxnet", "mxnet") == ["both = 2\n", "every = 3\n\nprint(every)\n", "untold = 4\n"]


def test_a_cell_that_names_no_library_is_the_first_ones():
    assert READERS["tabs"](BOOK, "mxnet", "pytorch") == ["both = 2\n", "every = 3\n\nprint(every)\n"]


def test_a_chapter_of_other_editions_has_no_cells():
    other = BOOK.replace("['mxnet', 'pytorch']", "'pytorch', 'jax'")
    assert READERS["tabs"](other, "mxnet", "mxnet") == []
    assert len(READERS["tabs"](other, "jax", "pytorch")) == 1


def test_markdown_has_blocks_of_python_also_in_a_list():
    blocks = "```python\na = 1\n```\n- so:\n  ```python\n  if a:\n      b = 2\n  ```\n"
    text = blocks + "```bash\nls\n```\n```{.python .input}\nc = 3\n```\n"
    assert READERS["markdown"](text, "", "") == ["a = 1\n", "if a:\n    b = 2\n", "c = 3\n"]


def test_notebooks_of_both_formats():
    new = {"cells": [{"cell_type": "markdown", "source": "x"}, {"cell_type": "code", "source": ["a = 1\n", "a"]}]}
    old = {"worksheets": [{"cells": [{"cell_type": "code", "input": "a = 1\na"}]}]}
    assert READERS["notebook"](json.dumps(new), "", "") == READERS["notebook"](json.dumps(old), "", "") == ["a = 1\na"]
