# %%
becomes = {"depth": "unrolled", "flag": "frozen", "value": "error", "rows": "different"}
becomes |= {"attribute": "no", "operators": 5.0}
