# %%
def remove_double_negation(graph):
    def rule(node, inputs):
        if node.op is None or node.op.name != "negative":
            return None
        entry, count = inputs[0], 1
        while entry[0].op is not None and entry[0].op.name == "negative":
            entry = entry[0].inputs[0]
            count += 1
        return [entry] if count % 2 == 0 else None

    return graph.rewrite(rule)
