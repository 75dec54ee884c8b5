# %%
import ast


def generate(graph, variables):
    kinds = {"add": ast.Add, "mul": ast.Mult, "matmul": ast.MatMult}

    def tree(v):
        if isinstance(v, list):
            op, inputs = v
            if op == "relu":
                return ast.Call(ast.parse("numpy.maximum", mode="eval").body, [tree(inputs[0]), ast.Constant(0)], [])
            return ast.BinOp(tree(inputs[0]), kinds[op](), tree(inputs[1]))
        if isinstance(v, str):
            return ast.Name(v, ast.Load())
        return ast.parse(repr(v), mode="eval").body

    function = ast.parse(f"def program({', '.join(variables)}): pass").body[0]
    function.body = [ast.Assign([ast.Name(n, ast.Store())], tree([op, i]), lineno=1) for n, op, i in graph]
    function.body.append(ast.Return(ast.Name(graph[-1][0], ast.Load())))
    return ast.unparse(ast.fix_missing_locations(function))
