# %%
def remove_double_negation(graph):
    def rule(node, inputs):
        if node.op is None or node.op.name != "negative":
            return None
        inner = inputs[0][0]
        if inner.op is None or inner.op.name != "negative":
            return None
        return [inner.inputs[0]]

    return graph.rewrite(rule)
