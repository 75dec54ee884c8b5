# %%
def describe_sum(numbers):
    numbers.sort()
    return "print(" + " + ".join(map(str, numbers)) + ")"
