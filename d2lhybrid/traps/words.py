"""The titles of the pages in Chinese."""

from __future__ import annotations

__all__ = ["chinese_title"]

_TITLES = {
    "H01": "追踪块时读取了数值", "H02": "Python 按数值分支", "H03": "读取了 Symbol 的形状",
    "H04": "读取了 Symbol 的元素类型", "H05": "询问或设置了 Symbol 的设备", "H06": "像数组一样索引 Symbol",
    "H07": "给 Symbol 的元素赋值", "H08": "就地运算", "H09": "Symbol 没有的 Python 运算符",
    "H10": "只有数组才有的方法或属性", "H11": "在块内求梯度", "H12": "Symbol 的 + 不做广播", "H13": "数组进入了计算图",
    "H14": "对 Symbol 调用了数组的函数", "H15": "nd 有而 sym 没有的函数", "H16": "不存在的算子",
    "H17": "操作数既不是 Symbol 也不是数", "H18": "hybrid_forward 返回的不是 Symbol",
    "H19": "Python 逐行遍历 Symbol 或数行数",
    "H20": "把数或文本当作输入", "H21": "参数个数与追踪时不同", "H22": "输入中没有数组", "H23": "参数未初始化",
    "H24": "Python 列表中的块没有注册", "H25": "HybridBlock 的子块是普通 Block", "H26": "形状不符",
    "H27": "元素类型不符", "H28": "输入在两个设备上", "H29": "参数与输入不在同一设备", "H30": "还没有可导出的计算图",
    "H31": "混用旧数组与 np 数组", "H32": "块没有 hybrid_forward", "H33": "没有调用 super().__init__()",
    "H34": "static_shape 缺少 static_alloc", "H51": "print 只打印一次", "H52": "计数器或其他 Python 变量不再变化",
    "H53": "属性保持追踪时的值", "H54": "分支只决定一次", "H55": "循环被展开",
    "H56": "Python 或 NumPy 的随机数只抽一次",
    "H57": "时钟停止", "H58": "x[0]、x[0:1]、for v in x 和 len(x) 含义不同", "H59": "内部层的钩子不被调用",
    "H60": "批量大小成了 reshape 中的常数", "H61": "输入或参数未被使用", "H62": "网络的一部分仍是 Python",
    "H63": "输出的元组变成列表", "H64": "hybridize 后数值不同",
}  # fmt: skip


def chinese_title(number: str) -> str:
    """Return the title of a page in Chinese.

    Examples
    --------
    >>> chinese_title("H26")
    '形状不符'
    """
    return _TITLES[number]
