# The checker says: no Python program

# %%
def describe_sum(numbers):
    return "print(" + " + ".join(map(str, numbers))
