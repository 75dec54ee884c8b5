# %%
def describe_sum(numbers):
    return "print(" + " + ".join(repr(str(n)) for n in numbers) + ")"
