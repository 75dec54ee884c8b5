# %%
import ast

SIGNS = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*"}


def write(node):
    if not isinstance(node, ast.BinOp):
        return ast.unparse(node)
    text = f"{write(node.left)} {SIGNS[type(node.op)]} {write(node.right)}"
    return text if "x" in text or "y" in text else str(eval(text))


def fold(text):
    return write(ast.parse(text, mode="eval").body)
