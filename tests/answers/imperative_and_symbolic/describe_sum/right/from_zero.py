# %%
def describe_sum(numbers):
    text = "print(0"
    for number in numbers:
        text += " + " + str(number)
    return text + ")\n"
