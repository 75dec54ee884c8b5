# %%
import ast


def fold(text):
    ...
