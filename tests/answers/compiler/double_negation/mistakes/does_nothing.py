# The checker says: negative, negative, elemwise_add: after the pass, there

# %%
def remove_double_negation(graph):
    return graph
