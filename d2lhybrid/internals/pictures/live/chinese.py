"""What a net that is written in says, in Chinese."""

from __future__ import annotations

from ...support.words import add_words

add_words({
    "A Block has no graph of its own: its parts have, where they are hybridized.":
        "Block 没有自己的计算图：它的各个部分在 hybridize 之后才有。",
    "This text does not run: there is nothing to keep.": "这段代码不能运行：没有可保留的。",
    "Your net is this one now. Copy the text into its cell: there it still says what it said.":
        "现在你的网络就是这一个。请把代码复制到它的单元格里：那里还是原来的代码。",
    "The limit is set with live(net, x, seconds=...).": "时间限制由 live(net, x, seconds=...) 设定。",
    "A Trainer has to be made anew.": "Trainer 需要重新创建。",
    "The cell was run again: this is its text.": "单元格重新运行了：这是它的代码。",
    "There is no text of yours to write in: {name} is made of layers, or its source is not known.":
        "没有可编辑的代码：{name} 由层组成，或者它的源代码未知。",
})  # fmt: skip
