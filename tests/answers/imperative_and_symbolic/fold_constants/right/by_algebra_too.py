# %%
import ast


class Folder(ast.NodeTransformer):
    def visit_BinOp(self, node):
        self.generic_visit(node)
        left, right = node.left, node.right
        if isinstance(left, ast.Constant) and isinstance(right, ast.Constant):
            return ast.Constant(eval(ast.unparse(node)))
        if isinstance(node.op, ast.Mult) and any(isinstance(n, ast.Constant) and n.value == 0 for n in (left, right)):
            return ast.Constant(0)
        if isinstance(node.op, ast.Mult) and isinstance(left, ast.Constant) and left.value == 1:
            return right
        return node


def fold(text):
    return ast.unparse(Folder().visit(ast.parse(text, mode="eval")))
