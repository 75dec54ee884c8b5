# %%
def peak(program):
    sizes = {name: size for name, size, _ in program}
    return max(size + sum(sizes[n] for n in inputs) for _, size, inputs in program)
