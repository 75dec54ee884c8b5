# %%
def peak(program):
    changes = [0] * (len(program) + 1)
    for i, (name, size, _) in enumerate(program):
        ends = [j for j, line in enumerate(program) if name in line[2]]
        changes[i] += size
        changes[max(ends, default=i) + 1] -= size
    peak_so_far = level = 0
    for change in changes:
        level += change
        peak_so_far = max(peak_so_far, level)
    return peak_so_far
