# The checker says: the result of the program

# %%
def generate(graph, variables):
    return f"def program({', '.join(variables)}):\n    return {variables[0]} + 1"
