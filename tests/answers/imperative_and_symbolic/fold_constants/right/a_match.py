# %%
import ast
import operator

OPERATIONS = {ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul}


def simplify(node):
    match node:
        case ast.BinOp(left=left, op=op, right=right):
            left, right = simplify(left), simplify(right)
            match left, right:
                case ast.Constant(value=a), ast.Constant(value=b):
                    return ast.Constant(OPERATIONS[type(op)](a, b))
            return ast.BinOp(left, op, right)
    return node


def fold(text):
    return ast.unparse(simplify(ast.parse(text.strip(), mode="eval").body))
