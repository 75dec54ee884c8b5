# %%
import re


def fold(text):
    while (again := re.sub(r"\((\d+ [-+*] \d+)\)", lambda found: str(eval(found[1])), text)) != text:
        text = again
    return text
