# %%
import ast


class Once(ast.NodeTransformer):
    def visit_BinOp(self, node):
        names = any(isinstance(child, ast.Name) for child in ast.walk(node))
        return self.generic_visit(node) if names else ast.parse(str(eval(ast.unparse(node))), mode="eval").body


def fold(text):
    while True:
        again = ast.unparse(Once().visit(ast.parse(text, mode="eval")))
        if again == text:
            return text
        text = again
