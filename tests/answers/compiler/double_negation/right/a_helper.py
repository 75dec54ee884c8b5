# %%
def is_negation(node):
    return node.op is not None and node.op.name == "negative"


def remove_double_negation(graph):
    def rule(node, inputs):
        if is_negation(node) and is_negation(inputs[0][0]):
            return [inputs[0][0].inputs[0]]
        return None

    return graph.rewrite(rule)
