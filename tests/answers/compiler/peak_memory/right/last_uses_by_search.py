# %%
def peak(program):
    largest = 0
    for i in range(len(program)):
        total = 0
        for j in range(i + 1):
            name, size, _ = program[j]
            used_later = any(name in inputs for _, _, inputs in program[i:])
            if j == i or used_later:
                total += size
        largest = max(largest, total)
    return largest
