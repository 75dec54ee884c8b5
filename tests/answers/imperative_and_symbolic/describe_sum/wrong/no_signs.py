# %%
def describe_sum(numbers):
    return "print(" + " + ".join(str(abs(n)) for n in numbers) + ")"
