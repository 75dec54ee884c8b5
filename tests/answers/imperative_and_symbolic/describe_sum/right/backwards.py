# %%
def describe_sum(numbers):
    parts = []
    for i in range(len(numbers) - 1, -1, -1):
        parts.append(str(numbers[i]))
    return "print(" + " + ".join(parts) + ")"
