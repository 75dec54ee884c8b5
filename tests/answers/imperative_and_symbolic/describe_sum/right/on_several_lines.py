# %%
def describe_sum(numbers):
    return "print(\n    " + "\n    + ".join(str(number) for number in numbers) + "\n)"
