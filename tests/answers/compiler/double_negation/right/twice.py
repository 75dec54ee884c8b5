# %%
def remove_double_negation(graph):
    def rule(node, inputs):
        if node.op is None or node.op.name != "negative":
            return None
        before = inputs[0][0]
        return [before.inputs[0]] if before.op is not None and before.op.name == "negative" else None

    return graph.rewrite(rule).rewrite(rule)
