# The checker says: the function computes the sum instead of describing it

# %%
def describe_sum(numbers):
    return sum(numbers)
