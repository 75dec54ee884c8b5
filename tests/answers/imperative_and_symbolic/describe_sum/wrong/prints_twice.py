# %%
def describe_sum(numbers):
    text = "print(" + " + ".join(str(n) for n in numbers) + ")"
    return text + "\n" + text
