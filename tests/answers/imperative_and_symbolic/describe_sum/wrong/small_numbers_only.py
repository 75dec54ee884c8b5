# %%
def describe_sum(numbers):
    return "print(" + " + ".join(str(n % 1000) if n > 1000 else str(n) for n in numbers) + ")"
