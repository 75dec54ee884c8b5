# %%
def describe_sum(numbers):
    return "print(" + " + ".join(str(float(n)) for n in numbers) + ")"
