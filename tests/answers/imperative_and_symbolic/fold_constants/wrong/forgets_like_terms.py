# %%
import ast


def polynomial(node):
    if isinstance(node, ast.Constant):
        return {(0, 0): node.value}
    if isinstance(node, ast.Name):
        return {(1, 0) if node.id == "x" else (0, 1): 1}
    left, right = polynomial(node.left), polynomial(node.right)
    if isinstance(node.op, ast.Mult):
        return {(i + k, j + m): a * b for (i, j), a in left.items() for (k, m), b in right.items()}
    sign = 1 if isinstance(node.op, ast.Add) else -1
    return {powers: left.get(powers, 0) + sign * right.get(powers, 0) for powers in {*left, *right}}


def fold(text):
    terms = polynomial(ast.parse(text, mode="eval").body)
    number = terms.pop((0, 0), 0)
    return " + ".join([*(" * ".join(["x"] * i + ["y"] * j) + f" * {n}" for (i, j), n in terms.items()), str(number)])
