# %%
import ast


def polynomial(node):
    """Return {(power of x, power of y): factor}."""
    if isinstance(node, ast.Constant):
        return {(0, 0): node.value}
    if isinstance(node, ast.Name):
        return {(1, 0) if node.id == "x" else (0, 1): 1}
    left, right = polynomial(node.left), polynomial(node.right)
    result = {}
    if isinstance(node.op, ast.Mult):
        for (i, j), a in left.items():
            for (k, m), b in right.items():
                result[i + k, j + m] = result.get((i + k, j + m), 0) + a * b
        return result
    sign = 1 if isinstance(node.op, ast.Add) else -1
    for powers in {*left, *right}:
        result[powers] = left.get(powers, 0) + sign * right.get(powers, 0)
    return result


def fold(text):
    terms = []
    number = 0
    for (i, j), factor in sorted(polynomial(ast.parse(text, mode="eval").body).items()):
        if i == j == 0:
            number = factor
        elif factor:
            terms.append(" * ".join(["x"] * i + ["y"] * j) + f" * {factor}")
    return " + ".join([*terms, str(number)])
