# %%
def remove_double_negation(graph):
    def rule(node, inputs):
        name = getattr(node.op, "name", "")
        if name == "negative" and getattr(inputs[0][0].op, "name", "") == "negative":
            return [inputs[0][0].inputs[0]]

    return graph.rewrite(rule)
