"""Chinese texts of this chapter's checks; the English sentences are the keys."""

from __future__ import annotations

from d2lhybrid.internals.support.words import add_words

add_words(
    {
        # 05.1
        "called with a net that has run once": "用一个运行过一次的网络来调用",
        "The function wrote no file to the given path.": "在给定的路径下没有写出文件。",
        "An exported net has two files, but the function wrote only {names}.": (
            "导出网络应该得到两个文件，这里只有 {names}。"
        ),
        "The function returns a {type}, not a block.": "函数返回的不是块，而是一个 {type}。",
        "when the parameters of the old net are set to zero, those of the returned block are zero, too.": (
            "把原来的网络的参数设为零以后，返回的块的参数也成了零。"
        ),
        "The returned block's output for an array of shape {shape}": "返回的块对形状为 {shape} 的数组的输出",
        "The returned block is right, but the function did not read both files. Does the block use the old net?": (
            "返回的块是对的，但函数没有读取两个文件。这个块是不是还在用原来的网络？"
        ),
        # 05.2
        "called with a graph file": "用一个计算图文件来调用",
        "For a net with {count} operators,": "对于一个有 {count} 个算子的网络，",
        "{where} the function does not return a list.": "{where}函数返回的不是列表。",
        "{where} the list contains `null`. Which nodes are these?": "{where}列表里有 `null`：这些是什么节点？",
        "{where} the list contains names of nodes, such as `{got}`, not operators.": (
            "{where}列表里是节点的名字，例如 `{got}`，而不是算子。"
        ),
        "{where} the list has the right operators in the wrong order.": "{where}列表里的算子是对的，但顺序不对。",
        "{where} the length of the list is {count}, because repetitions of an operator are missing.": (
            "{where}列表的长度是 {count}：少了计算图里重复使用的算子。"
        ),
        "{where} the list does not match the graph's operators. The length of the list is {count}.": (
            "{where}列表和计算图的算子不符。列表的长度是 {count}。"
        ),
        # 05.3
        "called with a file of parameters": "用一个参数文件来调用",
        "For a file with {count} arrays, {states} of them states of BatchNorm,": (
            "文件里有 {count} 个数组，其中 {states} 个是 BatchNorm 的状态："
        ),
        "{where} the function returns {got:g}, which is the number of arrays, not of their elements.": (
            "{where}函数返回 {got:g}：这是数组的个数，而不是元素的个数。"
        ),
        "{where} the function returns {got:g}, which also counts the elements of arrays that are not trained.": (
            "{where}函数返回 {got:g}：把不训练的数组的元素也算进去了。"
        ),
        "{where} the function returns {got:g}, which counts only the first axis of each array.": (
            "{where}函数返回 {got:g}：每个数组只算了第一个轴。"
        ),
        "{where} the function returns {got:g}, which is not the number of elements in the learned arrays.": (
            "{where}函数返回 {got:g}，而训练得到的数并不是这么多。"
        ),
        # 05.4
        "called for the output {name}": "输出是 {name}",
        "For the output `{name}`, the function returns a {type}, not a block.": (
            "对于输出 `{name}`，函数返回的不是块，而是一个 {type}。"
        ),
        "The output `{name}`, of an array of shape {shape},": "对形状为 {shape} 的数组，输出 `{name}` ",
        "it is the output of the whole net.": "它是整个网络的输出。",
    }
)
