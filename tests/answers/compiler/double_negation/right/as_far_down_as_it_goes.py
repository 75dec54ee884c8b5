# %%
def remove_double_negation(graph):
    def rule(node, inputs):
        if node.op is None or node.op.name != "negative":
            return None
        inner = inputs[0][0]
        if inner.op is None or inner.op.name != "negative":
            return None
        entry = inner.inputs[0]
        while entry[0].op is not None and entry[0].op.name == "negative":
            entry = entry[0].inputs[0]
        return [entry]

    return graph.rewrite(rule)
