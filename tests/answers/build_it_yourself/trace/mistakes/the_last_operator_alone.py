# The checker says: uses `relu`, which is neither a variable

# %%
def trace(function, symbols):
    result = function(*symbols)
    inputs = []
    for value in result.inputs:
        if isinstance(value, int | float):
            inputs.append(value)
        elif value.op is None:
            inputs.append(value.name)
        else:
            inputs.append(value.op)
    return [["t1", result.op, inputs]]
