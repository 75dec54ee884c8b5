# %%
def describe_sum(numbers):
    text = ""
    for number in numbers:
        if text:
            text += " + "
        text += str(number)
    return "print(" + text + ")"
