# The checker says: it has computed instead of described

# %%
def describe_sum(numbers):
    return sum(numbers)
