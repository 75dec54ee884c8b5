# %%
import ast


class ConstantFolder(ast.NodeTransformer):
    def visit_BinOp(self, node: ast.BinOp):
        node = self.generic_visit(node)  # type: ignore[assignment]
        names = [child for child in ast.walk(node) if isinstance(child, ast.Name)]
        if names:
            return node
        code = compile(ast.fix_missing_locations(ast.Expression(node)), "<part>", "eval")
        return ast.copy_location(ast.Constant(eval(code)), node)


def fold(text):
    tree = ConstantFolder().visit(ast.parse(text, mode="eval"))
    return ast.unparse(ast.fix_missing_locations(tree))
