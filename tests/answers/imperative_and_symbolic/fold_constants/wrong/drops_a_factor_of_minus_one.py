# %%
import ast


class Folder(ast.NodeTransformer):
    def visit_BinOp(self, node):
        self.generic_visit(node)
        if isinstance(node.left, ast.Constant) and isinstance(node.right, ast.Constant):
            return ast.Constant(eval(ast.unparse(node)))
        if isinstance(node.op, ast.Mult) and isinstance(node.left, ast.Constant) and abs(node.left.value) == 1:
            return node.right
        return node


def fold(text):
    return ast.unparse(Folder().visit(ast.parse(text, mode="eval")))
