# %%
def remove_double_negation(graph):
    def is_negative(entry):
        return entry[0].op is not None and entry[0].op.name == "negative"

    def rule(node, inputs):
        if node.op is None:
            return None
        new = []
        for entry in inputs:
            while is_negative(entry) and is_negative(entry[0].inputs[0]):
                entry = entry[0].inputs[0][0].inputs[0]
            new.append(entry)
        if tuple(new) == tuple(inputs):
            return None
        made = node.into(node.op, tuple(new), **node.params)
        return [(made, i) for i in range(1)]

    return graph.rewrite(rule)
