# %%
def describe_sum(numbers):
    return "print(" + " + ".join(str(number) for number in numbers) + ")"
