# %%
from d2lhybrid.internals.core.operator import get_operator


def remove_double_negation(graph):
    negative = get_operator("negative")

    def rule(node, inputs):
        if node.op is negative:
            ((inner, _),) = inputs
            if inner.op is negative:
                return [inner.inputs[0]]
        return None

    return graph.rewrite(rule)
