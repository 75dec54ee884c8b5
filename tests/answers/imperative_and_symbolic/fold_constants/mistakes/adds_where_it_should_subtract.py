# The checker says: For `(x - (y * (7 - 9)))` and {

# %%
import ast


class Folder(ast.NodeTransformer):
    def visit_BinOp(self, node):
        self.generic_visit(node)
        if isinstance(node.left, ast.Constant) and isinstance(node.right, ast.Constant):
            return ast.Constant(eval(ast.unparse(node).replace("-", "+")))
        return node


def fold(text):
    return ast.unparse(Folder().visit(ast.parse(text, mode="eval")))
