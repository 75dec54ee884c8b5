# %%
import ast


class Folder(ast.NodeTransformer):
    def generic_visit(self, node):
        node = super().generic_visit(node)
        if isinstance(node, ast.BinOp):
            try:
                return ast.Constant(eval(ast.unparse(node), {"__builtins__": {}}))
            except NameError:
                return node
        return node


def fold(text):
    return ast.unparse(Folder().visit(ast.parse(text, mode="eval")))
