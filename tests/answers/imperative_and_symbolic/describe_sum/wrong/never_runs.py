# %%
def describe_sum(numbers):
    return "if False:\n    print(" + " + ".join(str(n) for n in numbers) + ")"
