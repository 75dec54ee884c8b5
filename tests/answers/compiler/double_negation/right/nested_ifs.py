# %%
def remove_double_negation(graph):
    def change(node, inputs):
        if node.op is not None:
            if node.op.name == "negative":
                inner, _ = inputs[0]
                if inner.op is not None and inner.op.name == "negative":
                    return list(inner.inputs)
        return None

    return graph.rewrite(change)
