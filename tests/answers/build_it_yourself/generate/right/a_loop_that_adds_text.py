# %%
def generate(graph, variables):
    def expr(v):
        if not isinstance(v, list):
            return repr(v) if not isinstance(v, str) else v
        op, args = v
        args = [expr(a) for a in args]
        if op == "add":
            return "(" + args[0] + "+" + args[1] + ")"
        if op == "mul":
            return "(" + args[0] + "*" + args[1] + ")"
        if op == "matmul":
            return "(" + args[0] + "@" + args[1] + ")"
        return "numpy.maximum(" + args[0] + ",0)"

    text = "def program(" + ",".join(variables) + "):\n"
    for name, op, inputs in graph:
        text += "\t" + name + "=" + expr([op, inputs]) + "\n"
    text += "\treturn " + name + "\n"
    return text
