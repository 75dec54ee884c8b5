# %%
import ast


class Once(ast.NodeTransformer):
    def visit_BinOp(self, node):
        if isinstance(node.left, ast.Constant) and isinstance(node.right, ast.Constant):
            return ast.Constant(eval(ast.unparse(node)))
        self.generic_visit(node)
        return node


def fold(text):
    tree = ast.parse(text, mode="eval")
    for _ in range(12):
        tree = Once().visit(tree)
    return ast.unparse(tree)
