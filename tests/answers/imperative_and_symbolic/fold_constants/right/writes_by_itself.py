# %%
import ast

SIGNS = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*"}


def write(node):
    """Return the text of a node, and its value if it has one."""
    if isinstance(node, ast.Constant):
        return str(node.value), node.value
    if isinstance(node, ast.Name):
        return node.id, None
    (left, a), (right, b) = write(node.left), write(node.right)
    sign = SIGNS[type(node.op)]
    if a is not None and b is not None:
        value = a + b if sign == "+" else a - b if sign == "-" else a * b
        return str(value), value
    return f"({left} {sign} {right})", None


def fold(text):
    return write(ast.parse(text, mode="eval").body)[0]
