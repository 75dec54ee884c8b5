# %%
def remove_double_negation(graph):
    names = ("negative", "_np_negative")

    def rule(node, inputs):
        if node.op is None or node.op.name not in names or not inputs:
            return None
        parent = inputs[0][0]
        if parent.op is None or parent.op.name not in names:
            return None
        return [parent.inputs[0]]

    return graph.rewrite(rule)
