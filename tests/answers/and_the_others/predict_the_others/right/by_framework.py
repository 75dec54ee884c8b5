# %%
traced = {"gluon", "jax", "tensorflow"}
prediction = {}
for framework in ("gluon", "torch", "jax", "tensorflow"):
    prediction[f"a {framework}"] = prediction[f"c {framework}"] = 1 if framework in traced else 2
    prediction[f"b {framework}"] = 1 if framework == "gluon" else 2
