"""51.1：一个块，对数组和符号做同样的计算。"""

from __future__ import annotations

import numpy

from d2lhybrid.exercises.making import Exercise, Subject, expect, floats, is_close, make_net


def _squashed(x: numpy.ndarray) -> numpy.ndarray:
    return x / (1 + numpy.abs(x))


def _check(subject: Subject, rng: numpy.random.Generator) -> None:
    """评判一个答案：只通过 subject 使用它，从不直接访问；用能暴露问题的输入来测试，并指出没有满足的要求。"""
    columns = int(rng.integers(3, 7))
    inputs = [floats(rng, rows, columns) for rows in (2, 5)]
    with subject.part("逐行运行"):
        make_net(subject, [], "Squash")
        subject.ask("start", "第一次调用", inputs=inputs[:1])
        for x in inputs:
            got = _output(subject, x)
            expect(not is_close(got, 0 * x), "输出全是零。输入不同，输出也应该不同，哪怕形状相同。")
            expect(not is_close(got, x / (1 + x)), "输入小于零时，输出不在 -1 和 1 之间。")
            expect(is_close(got, _squashed(x)), "逐行运行时，输出不对。")
    with subject.part("hybridize 之后"):
        subject.ask("hybridize")
        for x in inputs:
            expect(is_close(_output(subject, x), _squashed(x)), "hybridize 之后，输出与逐行运行时不同。")


def _output(subject: Subject, x: numpy.ndarray) -> numpy.ndarray:
    (output,) = subject.ask("run", f"用形状为 {x.shape} 的数组调用", inputs=[x])["outputs"]
    expect(isinstance(output, numpy.ndarray), "这个块返回的不是数组。")
    return output


EXERCISE = Exercise(
    __name__, number="51.1", answer="Squash", checker=_check, points=2, parts=("逐行运行", "hybridize 之后")
)
