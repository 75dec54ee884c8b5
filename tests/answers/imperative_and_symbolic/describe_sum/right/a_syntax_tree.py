# %%
import ast
import functools


def describe_sum(numbers):
    nodes = [ast.Constant(n) for n in numbers]
    total = functools.reduce(lambda a, b: ast.BinOp(a, ast.Add(), b), nodes)
    return ast.unparse(ast.Call(ast.Name("print"), [total], []))
