# %%
def describe_sum(numbers):
    text = str(numbers.pop(0))
    while numbers:
        text += " + " + str(numbers.pop(0))
    return f"print({text})"
