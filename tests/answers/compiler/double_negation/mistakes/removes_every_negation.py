# The checker says: For a graph of the operators negative, elemwise_add: after the pass, the value

# %%
def remove_double_negation(graph):
    def rule(node, inputs):
        if node.op is not None and node.op.name == "negative":
            return [inputs[0]]

    return graph.rewrite(rule)
