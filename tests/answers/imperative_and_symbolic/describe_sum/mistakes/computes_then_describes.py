# The checker says: with 0 additions

# %%
def describe_sum(numbers):
    return f"print({sum(numbers)})"
