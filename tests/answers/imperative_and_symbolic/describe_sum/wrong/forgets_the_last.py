# %%
def describe_sum(numbers):
    return "print(" + " + ".join(str(n) for n in numbers[:-1]) + ")"
