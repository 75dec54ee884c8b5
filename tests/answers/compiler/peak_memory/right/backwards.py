# %%
def peak(program):
    alive, sizes, largest = {program[-1][0]}, {name: size for name, size, _ in program}, 0
    for name, _, inputs in reversed(program):
        alive |= {name, *inputs}
        largest = max(largest, sum(sizes[n] for n in alive))
        alive.discard(name)
    return largest
