# The checker says: 'NoneType' object has no attribute 'name'

# %%
def remove_double_negation(graph):
    def rule(node, inputs):
        if node.op.name != "negative":
            return None
        return [inputs[0][0].inputs[0]]

    return graph.rewrite(rule)
