# %%
diagnosis = {"a": "error", "b": "silent ", "c": "Same", "d": "silent", "e": "error", "f": " same", "g": "SILENT"}
