# %%
import json


def operators_in(file):
    ...
