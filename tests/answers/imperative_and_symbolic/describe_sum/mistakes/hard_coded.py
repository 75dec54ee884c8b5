# The checker says: adds the wrong numbers

# %%
def describe_sum(numbers):
    return "print(1 + 2)"
