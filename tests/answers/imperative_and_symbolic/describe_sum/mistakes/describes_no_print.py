# The checker says: prints nothing

# %%
def describe_sum(numbers):
    return " + ".join(map(str, numbers))
