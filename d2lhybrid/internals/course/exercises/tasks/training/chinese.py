"""Chinese texts of this chapter's checks; the English sentences are the keys."""

from __future__ import annotations

from d2lhybrid.internals.support.words import add_words

add_words(
    {
        # 07.1
        "called with a net that runs {how}": "网络的运行方式：{how}",
        "With batches of {count} and {count_2} examples, {how}": "两批分别有 {count} 个和 {count_2} 个样本（{how}）",
        "{batches}, the weight of the first layer after two steps": "{batches}，训练两步以后，第一层的权重",
        "{batches}, the bias of the last layer after two steps": "{batches}，训练两步以后，最后一层的偏置",
        "the trainer's update is different. Call the trainer's `step`.": (
            "trainer 算出的更新与此不同。请调用 trainer 的 `step`。"
        ),
        "it has not changed.": "参数没有改变。",
        "the steps are as large as for a batch of one example.": "更新的步长太大，就像整批只有一个样本。",
        "The function returns an array of shape {vectors}, not a number.": (
            "函数返回的不是数，而是形状为 {vectors} 的数组。"
        ),
        "With the same batches, {how}, the returned value": "同样的两批样本（{how}），函数返回的结果",
        # 07.2
        "it has a number for each element, not for each example.": "这是每个元素一个数，而不是每个样本一个数。",
        "it is one number for the whole batch.": "这是整批样本总共一个数。",
        "it is a sum instead of a mean.": "这里应该是平均值，却是和。",
        "large and small errors are treated alike.": "对大误差和小误差的处理没有区别。",
        "the two branches have different values at rho.": "两段在 rho 处没有接上。",
        # 07.3
        "it is linear. Where are the sigmoids?": "它是线性的。sigmoid 在哪里？",
        "the last layer treats the images of a batch as one image.": "最后一层把一批图像当成了一幅图像。",
        # 07.4
        "it is a linear function of the input.": "它是输入的线性函数。",
        "each unit must use different rows.": "每个单元应该用另外几行。",
        "the bias is missing.": "少了偏置。",
        # 07.5
        "predict": "预测",
        "train": "训练",
        "{how}, in {mode} mode, first called in {first} mode,": (
            "{how}，在{mode}模式下（第一次调用时是{first}模式），"
        ),
        "Hybridized, in {mode} mode, with another batch size,": "hybridize 之后，在{mode}模式下，换一个批量大小，",
        "{where} the output does not have the shape of the input.": "{where}输出的形状和输入不同。",
        "{where} the output for an array of shape {shape}": "{where}对形状为 {shape} 的数组的输出",
        "{where} the gradient": "{where}梯度",
        "{where} the output equals the input, so nothing is dropped.": "{where}输出就是输入：什么也没有丢弃。",
        "{where} whole columns are dropped, not rows.": "{where}丢弃的是整列，而不是整行。",
        "{where} single elements are dropped, not whole rows.": "{where}丢弃的是单个的元素，而不是整行。",
        "{where} no row is dropped.": "{where}一行也没有丢弃。",
        "{where} {share:.0%} of the rows are dropped, but p is {p}.": "{where}丢弃了 {share:.0%} 的行，而 p={p}。",
        "{where} the rows that stay are unchanged: on average, the output is smaller than the input.": (
            "{where}保留的行没有放大：平均来看，输出比输入小。"
        ),
        "{where} the output of the rows that stay": "{where}保留的行的输出",
        "{where} some rows are always dropped together.": "{where}有些行总是和另一些行一起丢弃。",
        "{where} two calls drop the same rows.": "{where}两次调用丢弃同样的行。",
    }
)
