# The checker says: For `((1 + 2) + (3 + 4))`, the result still contains a computation without variables

# %%
import ast


class Folder(ast.NodeTransformer):
    def visit_BinOp(self, node):
        if isinstance(node.left, ast.Constant) and isinstance(node.right, ast.Constant):
            return ast.Constant(eval(ast.unparse(node)))
        return self.generic_visit(node)


def fold(text):
    return ast.unparse(Folder().visit(ast.parse(text, mode="eval")))
