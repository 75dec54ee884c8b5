# The checker says: a text that is not a Python program

# %%
def describe_sum(numbers):
    return "print(" + " + ".join(map(str, numbers))
