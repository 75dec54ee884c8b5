# %%
def remove_double_negation(graph):
    def rule(node, inputs):
        if node.op is None or not inputs or inputs[0][0].op is not node.op:
            return None
        return [inputs[0][0].inputs[0]]

    return graph.rewrite(rule)
