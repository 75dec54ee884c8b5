# %%
def key(framework, x, training):
    match framework:
        case "gluon":
            return 0
        case "jax" | "tensorflow":
            return frozenset({("shape", x.shape), ("type", x.dtype.__name__), ("training", training)})
