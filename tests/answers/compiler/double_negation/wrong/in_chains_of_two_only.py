# %%
def remove_double_negation(graph):
    def rule(node, inputs):
        if node.op is None or node.op.name != "negative":
            return None
        inner = node.inputs[0][0]
        if inner.op is None or inner.op.name != "negative":
            return None
        first = inner.inputs[0]
        return [first] if first[0].op is None else None

    return graph.rewrite(rule)
