"""Chinese texts of the live editor."""

from __future__ import annotations

from ...support.words import add_words

add_words({
    "Only HybridBlocks have graphs, and this net is a plain Block.":
        "只有 HybridBlock 有计算图，而这个网络是普通的 Block。",
    "This code does not run, so it cannot be applied.": "这段代码不能运行，所以无法应用到你的网络。",
    "This is your net now. Copy the code into its cell, which still has the old code.":
        "现在这就是你的网络。请把代码复制到定义网络的单元格里：那里还是原来的代码。",
    "To change the limit, call live(net, x, seconds=...).": "要修改时间限制，请调用 live(net, x, seconds=...)。",
    "Create a new Trainer.": "请重新创建 Trainer。",
    "The cell ran again: this is its code.": "单元格重新运行了：这是新的代码。",
    "There is no code to edit: {name} consists of layers, or its source is unknown.":
        "没有可编辑的代码：{name} 由层组成，或者找不到它的源代码。",
})  # fmt: skip
