# The checker says: leaves the additions to a function

# %%
def describe_sum(numbers):
    return f"print(sum({numbers}))"
