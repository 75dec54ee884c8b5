# %%
def peak(program):
    uses = {}
    for _, _, inputs in program:
        for name in inputs:
            uses[name] = uses.get(name, 0) + 1
    uses[program[-1][0]] = 1
    memory, peak_so_far, size_of = 0, 0, {}
    for name, size, inputs in program:
        memory += size
        size_of[name] = size
        peak_so_far = max(peak_so_far, memory)
        for used in inputs:
            uses[used] -= 1
            if uses[used] == 0:
                memory -= size_of[used]
    return peak_so_far
