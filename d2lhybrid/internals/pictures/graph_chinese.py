"""Chinese texts in pictures of graphs."""

from __future__ import annotations

from ..support.words import add_words

add_words(
    {
        "search": "搜索", "parameters": "参数", "open all": "全部展开", "close all": "全部收起", "fit": "适应窗口",
        "graph": "计算图", "open": "展开", "close": "收起",
        "more": "更多", "show parameters": "显示参数", "hide parameters": "隐藏参数", "save as svg": "存为 svg",
        "save as png": "存为 png", "save as dot": "存为 dot", "stage of the compilation": "编译阶段",
        "direction": "方向", "this notebook": "这个笔记本",
        "time": "时间", "measure times": "测量时间", "{time} with others": "与其他算子合计 {time}",
        "play": "播放", "your code": "你的代码", "generated program": "生成的程序", "traced": "追踪",
        "compiled": "编译后", "prepare": "准备", "{n} outputs": "{n} 个输出",
        "gradient of {name}": "{name} 的梯度", "new {name}": "新的 {name}",
        "Point at a box, or click it.": "把鼠标停在方框上，或点击它。",
        "The compiler found nothing to change here.": "编译器在这里没有找到要改的地方。",
        "What the compiler changed is in closed boxes, or concerns parameters: open them to see it.":
            "编译器改变的部分在收起的方框里，或者只涉及参数：展开方框就能看到。",
        "The graph of your code: hybrid_forward ran once with symbols, and recorded these operators.":
            "由你的代码得到的计算图：传入符号，把 hybrid_forward 运行一次，记录下这些算子。",
        "no match": "没有匹配项", "{n} matches": "{n} 个匹配项",
        "drag to move, Ctrl + wheel to zoom": "拖动可以移动，Ctrl + 滚轮可以缩放",
        "{n} operators": "{n} 个算子", "1 operator": "1 个算子", "1 match": "1 个匹配项",
        "{n} more": "另外 {n} 个", "{n} parameters": "{n} 个参数",
        "and {n} more": "还有 {n} 个", "generated program: {name}": "生成的程序：{name}",
        "name": "名称", "operator": "算子", "settings": "设置", "result": "结果",
        "flops": "浮点运算次数", "bytes": "字节数",
        "line": "行", "block": "块", "input": "输入", "output": "输出", "kind": "种类", "parameter": "参数",
        "constant": "常量", "gradient": "梯度", "saved": "保存的值", "operators": "算子数",
        "class": "类", "matrix product": "矩阵乘积", "convolution": "卷积", "pooling": "汇聚",
        "normalization, dropout": "规范化、暂退法", "loop, branch": "循环、分支",
        "activation": "激活", "element-wise": "按元素", "reduction, loss": "归约、损失", "shape, index": "形状、索引",
        "other": "其他",
        "The picture is too large to stay in a notebook. Write it to a file with graph.save('graph.svg').":
            "图片太大，无法保存在笔记本中。可以用 graph.save('graph.svg') 写入文件。",
        "Some stages are left out: all have more than {n} boxes. graph.views names them, graph.show(name) shows one.":
            "省略了一些阶段：方框总数超过 {n} 个。graph.views 列出各阶段的名称，graph.show(名称) 显示其中一个。",
        "an input": "输入", "a parameter": "参数", "a constant": "常量",
        "the gradient of an output, passed by the caller": "输出的梯度，由调用者传入",
        "computed by the forward function, kept for the backward function": "由前向程序算出，为反向程序保留",
    }
)  # fmt: skip
