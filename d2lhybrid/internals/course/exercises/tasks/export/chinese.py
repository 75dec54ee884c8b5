"""Chinese texts of this chapter's checks; the English sentences are the keys."""

from __future__ import annotations

from d2lhybrid.internals.support.words import add_words

add_words(
    {
        # 05.1
        "called with a net that has run once": "用一个运行过一次的网络来调用",
        "No file was written below the given path.": "在给定的路径下没有写出文件。",
        "Of the two files of an exported net, there is only {names}.": "导出网络应该得到两个文件，这里只有 {names}。",
        "The function does not return a block but a {type}.": "函数返回的不是块，而是一个 {type}。",
        "when the parameters of the old net are set to zero, those of the returned block are zero, too.": (
            "把原来的网络的参数设为零以后，返回的块的参数也成了零。"
        ),
        "The returned block's output for an array of shape {shape}": "返回的块对形状为 {shape} 的数组的输出",
        "The returned block is right, but the function has not read both files. Is it made from the old net?": (
            "返回的块是对的，但函数没有读取两个文件。这个块是由原来的网络得到的吗？"
        ),
        # 05.2
        "called with a graph file": "用一个计算图文件来调用",
        "For a net with {count} operators": "对于一个有 {count} 个算子的网络，",
        "{where} the function does not return a list.": "{where}函数返回的不是列表。",
        "{where} there is `null` in the list: what are these nodes?": "{where}列表里有 `null`：这些是什么节点？",
        "{where} the list has the names of the nodes, such as `{got}`.": "{where}列表里是节点的名字，例如 `{got}`。",
        "{where} the list has the right operators in another order.": "{where}列表里的算子是对的，但顺序不对。",
        "{where} the list has {count} entries: operators that are used again are missing.": (
            "{where}列表有 {count} 项：少了重复使用的算子。"
        ),
        "{where} the list is wrong: it has {count} entries.": "{where}列表不对：有 {count} 项。",
        # 05.3
        "called with a file of parameters": "用一个参数文件来调用",
        "For a file with {count} arrays, {states} of them states of BatchNorm,": (
            "文件里有 {count} 个数组，其中 {states} 个是 BatchNorm 的状态："
        ),
        "{where} the function returns {got:g}: that is the number of arrays, not of their elements.": (
            "{where}函数返回 {got:g}：这是数组的个数，而不是元素的个数。"
        ),
        "{where} the function returns {got:g}: that also counts arrays that are not trained.": (
            "{where}函数返回 {got:g}：把不训练的数组也算进去了。"
        ),
        "{where} the function returns {got:g}: that only counts the first axis of each array.": (
            "{where}函数返回 {got:g}：每个数组只算了第一个轴。"
        ),
        "{where} the function returns {got:g}, which is not the number of trained elements.": (
            "{where}函数返回 {got:g}，而这不是训练得到的数的个数。"
        ),
        # 05.4
        "called for the output {name}": "输出是 {name}",
        "For the output `{name}` the function does not return a block but a {type}.": (
            "对于输出 `{name}`，函数返回的不是块，而是一个 {type}。"
        ),
        "The output `{name}`, of an array of shape {shape},": "对形状为 {shape} 的数组，输出 `{name}` ",
        "it is the output of the whole net.": "它是整个网络的输出。",
    }
)
