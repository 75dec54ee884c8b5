"""Chinese texts of timings, with the English texts as keys."""

from __future__ import annotations

from ...support.words import add_words
from .call_times import _STAYS, _TOO_FEW
from .comparison import _PAID, _ROUNDS, _SURE
from .in_flight import _ALONE, _FREE, _GPU, _ITSELF, _STOPS, _THREAD, PROGRAM, QUEUED, READ
from .sweep import _BUSY, _NOT_AT
from .verdict import _HEADLINES, _MEDIANS, _SENTENCES, _SMALL
from .where import _APART, _SHRINK, _STAY, METHODS, NO_PROGRAM

__all__: list[str] = []

add_words({
    "Before and after hybridize": "hybridize 前后对比",
    "Call by call": "逐次调用", "number of the call": "第几次调用", "call": "调用", "answered by": "运行的程序",
    "time of one call": "单次调用时间", "first call: trace and compile": "第一次调用：追踪并编译",
    "first call: trace and compile ({time})": "第一次调用：追踪并编译（{time}）",
    "tier 0": "第 0 层", "tier 0: lines of NumPy": "第 0 层：NumPy 代码行", "tier 1: {backend}": "第 1 层：{backend}",
    "the compiler starts: call {n}": "编译器启动：第 {n} 次调用",
    "call {n} switches ({time})": "第 {n} 次调用时切换（{time}）",
    "tier 1 takes over; its compiler started at call {n}": "切换到第 1 层；编译器在第 {n} 次调用时启动",
    "Tier 1 takes over at call {n}, but only {done} calls were timed.":
        "第 {n} 次调用时才切换到第 1 层，而这里只测量了 {done} 次调用。",
    "parts in tier 1": "部分在第 1 层",
    _STAYS: "已安装的后端都编译不出更快的程序，所以程序留在第 0 层。",
    _TOO_FEW: "测量的调用太少（{n} 次），还看不出是否会切换到第 1 层。",
    "Tier 1, compiled by {backend}, takes over at call {n}, and no later call was timed.":
        "第 {n} 次调用时切换到由 {backend} 编译的第 1 层，之后的调用没有测量。",
    "Tier 1, compiled by {backend}, takes over at call {n}: from {before} to {after} per call ({factor}).":
        "第 {n} 次调用时切换到由 {backend} 编译的第 1 层：每次调用从 {before} 变为 {after}（{factor}）。",
    "training steps": "训练步", "calls": "调用", "{n} calls": "{n} 次调用",
    "way": "方式", "median": "中位数", "quartiles": "四分位数", "speed-up": "加速比",
    "trace + compile": "追踪 + 编译", "pays off after": "回本", "what": "内容", "runs": "次数",
    "compared with the first": "与第一项相比", "faster": "更快", "slower": "更慢",
    _SENTENCES["faster"]: "{way}：加速 {factor}（{lower} – {upper}）。",
    _SENTENCES["slower"]: "{way}：更慢，加速比是 {factor}（{lower} – {upper}）。",
    _SENTENCES["equal"]: "{way}：与逐行运行一样快（{lower} – {upper}）。",
    _SENTENCES["unclear"]: "{way}：从这些测量看不出是否更快（{lower} – {upper}）。",
    _HEADLINES["faster"]: "加速 {factor}", _HEADLINES["slower"]: "减慢 {factor}",
    _HEADLINES["equal"]: "与逐行运行一样快",
    _HEADLINES["unclear"]: "你的机器正忙",
    _HEADLINES["at least faster"]: "这里加速 {median}，可以确定的是至少 {factor}",
    _HEADLINES["at least slower"]: "这里减慢 {median}，可以确定的是至少 {factor}",
    _SENTENCES["at least faster"]: "{way}：至少加速 {factor}（{lower} – {upper}）。",
    _SENTENCES["at least slower"]: "{way}：至少减慢 {factor}（{lower} – {upper}）。",
    _SMALL["faster"]: "{way}，与逐行运行相比。有 {certainty}% 的把握认为，加速比在 {lower} 与 {upper} 之间。",
    _MEDIANS: "条形是中位数，两者之比为 {ratio}：各轮之间机器的快慢有变化，而标题只比较同一轮里的调用。",
    _SMALL["equal"]: "{way}：有 {certainty}% 的把握认为，加速比在 {lower} 与 {upper} 之间。",
    _SMALL["unclear"]: "{way}：加速比在 {lower} 与 {upper} 之间，所以从这些测量看不出是否更快。"
        "请关闭其他程序，再测量一次。",
    "Compiling pays off after {n} calls.": "调用 {n} 次后，编译就回本了。",
    "unclear": "看不出", "measure all again": "全部重新测量", "All numbers": "所有数字",
    _BUSY: "你的机器正忙：当{what}为 {values} 时，从测量看不出 hybridize 是否更快。请关闭其他程序，再全部测量一次。",
    _APART: "{way}：无法显示时间花在哪里。测量核函数时，一次调用用了 {whole}，其中核函数用了 {kernels}；"
        "而之前测得的单次调用时间（中位数）是 {median}。各部分之和与整体对不上：机器正忙。",
    _SHRINK: "核函数之外的 Python：之前 {before}，之后 {after}。核函数的时间也缩短了，从 {old} 到 {new}："
        "融合算子、把结果写入已有的内存、提前准备参数、省去算子内部的 Python 代码，都能减少工作量。",
    _STAY: "核函数的时间与之前差不多，省下的是核函数之外的时间：之前 {before}，之后 {after}。",
    _SURE: "加速比是各轮比值的中位数。有 {certainty}% 的把握认为，区间包含真实的中位数；区间还至少包含一半轮次的比值。"
        "区间包含 1 时，不判断哪种方式更快。",
    "The net printed {n} characters during the measurement, which are not shown.":
        "测量期间网络打印了 {n} 个字符，这里没有显示。",
    "How it was measured": "测量方法", "Measuring {net}": "正在测量 {net}", "Measuring over {what}": "正在按{what}测量",
    "time of one call ({unit}), median and quartiles": "单次调用时间（{unit}），中位数与四分位数",
    "time of one call ({unit})": "单次调用时间（{unit}）", "One call": "单次调用",
    "Compiling pays off after {n} calls": "调用 {n} 次后，编译就回本了",
    "computed from the medians ({unit})": "由中位数算出（{unit}）", "Where the time goes": "时间花在哪里",
    "kernels": "核函数", "batch size": "批量大小", "over {what}": "按{what}", "not measured": "未测量",
    "Speed-up of {way}": "{way} 的加速比", "gone at {what} {value}": "{what}为 {value} 时没有收益",
    "Measure at two or more values to see where the gain vanishes.": "至少要测量两个值，才能看出收益从哪里开始消失。",
    "Hybridized, the net is also faster at the largest measured {what}, {value}.":
        "{what}为 {value}（测量的最大值）时，hybridize 之后仍然更快。",
    _NOT_AT:
        "{what}为 {value}（测量的最大值）时，hybridize 之后更快；为 {values} 时则不是。",
    "Hybridizing had no measurable gain, at any {what}.": "无论{what}是多少，都测不出 hybridize 的收益。",
    "The gain vanishes at {what} {value}.": "{what}为 {value} 时，收益消失。",
    "benchmark() has not measured anything yet.": "benchmark() 还没有测量过。",
    "Collected by benchmark()": "benchmark() 收集的结果",
    "measure again": "重新测量", "measure": "测量", "measured": "已测量",
    "too short to measure": "时间太短，测不出来",
    "{time} in {n} kernels, {rest} in Python around them": "{n} 个核函数共用时 {time}，其余的 Python 代码：{rest}",
    "{time} in {n} lines, {rest} in Python around them": "{n} 行程序共用时 {time}，其余的 Python 代码：{rest}",
    NO_PROGRAM: "{net} 不是 HybridBlock：它的各部分分别编译，所以没有可以逐行测量的完整程序。",
    _ROUNDS: "共 {rounds} 轮。每一轮里，各种方式轮流计时，每次连续调用足够多次，使时钟误差可以忽略。"
        "每种方式的首次调用和之后的 {warm_up} "
        "次是预热，不计入。条形表示中位数，横线从下四分位数画到上四分位数。",
    _PAID: "回本：追踪与编译的时间除以每次调用节省的时间（各轮的中位数）。加速比的区间包含 1 时不显示。",
    METHODS["imperative"]: "在另外的调用中，为每个算子的核函数（即 NumPy 或 CuPy 函数）单独计时；"
        "“Python”是调用时间（中位数）的其余部分："
        "函数、分派、检查、包装、记录带。",
    QUEUED: "逐个算子；Python 最后才等待",
    READ: "逐个算子；Python 读取每个结果",
    PROGRAM: "hybridize 之后：一个程序；Python 最后才等待",
    _THREAD: "这里没有可用的 GPU，所以由这个进程的另一个线程充当设备，从队列中取出算子来运行。所有时间都是实测的；"
        "运行 {n} 次，显示最快的一次。",
    _ALONE: "这里没有 GPU，也不能使用另一个线程，所以每个算子都由 Python 自己立即运行，不排队。所有时间都是实测的；"
        "运行 {n} 次，显示最快的一次。",
    _GPU: "在 {device} 上用 CUDA 事件测得；运行 {n} 次，显示最快的一次。",
    _ITSELF: "算子由 Python 自己运行，占总时间 {end} 的 {share}。",
    _FREE: "Python 用 {free} 把算子全部放进队列；设备用 {end} 算完。",
    _STOPS: "Python 等待 {n} 次，共 {waits}；总时间 {end} 里，设备工作的时间占 {share}。",
    "waits": "等待", "device": "设备", "time": "时间",
    METHODS["compiled"]: "逐行运行生成的程序，每行单独计时（net.explain(x, profile=True)）；"
        "“Python”是调用时间（中位数）的其余部分："
        "查找程序与包装结果。",
})  # fmt: skip
