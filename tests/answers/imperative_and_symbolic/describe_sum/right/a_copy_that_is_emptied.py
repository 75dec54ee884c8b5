# %%
def describe_sum(numbers):
    left = list(numbers)
    text = str(left.pop(0))
    while left:
        text += " + " + str(left.pop(0))
    return f"print({text})"
