# %%
import ast


def is_number(node):
    return isinstance(node, ast.Constant) or (isinstance(node, ast.UnaryOp) and is_number(node.operand))


class Folder(ast.NodeTransformer):
    def visit_BinOp(self, node):
        node.left = self.visit(node.left)
        node.right = self.visit(node.right)
        if is_number(node.left) and is_number(node.right):
            text = str(eval(ast.unparse(node), {}, {}))
            return ast.parse(text, mode="eval").body
        return node


def fold(text):
    tree = ast.parse(text, mode="eval")
    tree.body = Folder().visit(tree.body)
    return " " + ast.unparse(tree)
