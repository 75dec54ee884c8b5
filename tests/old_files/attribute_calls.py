"""Calls that give attributes to symbols: by ``attr``, by a scope, by name, to variables and to nodes that exist."""

import json
import re

__all__ = ["CALLS", "outcome_of_call"]

CALLS = """
affine(attr={"weight_lr_mult": "2"})
affine(weight_lr_mult=2)
affine(bias_ctx_group="a")
scoped(lambda: affine(), weight_wd_mult="2")
scoped(lambda: affine(), lr_mult="2")
scoped(lambda: affine(), lr_multiplier="2")
scoped(lambda: affine(), __mood__="fine")
scoped(lambda: affine(), mood="fine")
scoped(lambda: affine(), profiler_scope="fine")
scoped(lambda: sym.var("v"), lr_mult="2", mood="fine", lr_multiplier="3")
scoped(lambda: sym.var("v", attr={"lr_mult": "3"}), lr_mult="2")
scoped(lambda: sym.var("v"), weight_mirror_stage="2")
scoped(lambda: sym.var("v"), __init__=Text())
scoped(lambda: sym.var("v"), lr_mult=2)
affine(attr={"mood": "fine"})
affine(mood="fine")
affine(attr={"lr_multiplier": "2"})
affine(lr_multiplier=2)
affine(ctx_group_of="a")
affine(attr={"xlr_mult": "2"})
affine(attr={"_lr_mult": "2"})
affine(attr={"__lr_mult__": 2})
affine(attr={"__weight_lr_mult__": 2})
affine(attr={"profiler_scope": "a"})
affine(attr={"lr_mult": 2})
affine(attr={"force_mirroring": True})
affine(attr={"__shape__": (2, 3)})
affine(attr={"__init__": Text()})
affine(attr={"num_hidden": 3})
affine(lr_mult=2, wd_mult=0.5)
affine(__mood__=None)
affine(__init__=Text())
affine(attr=None)
sym.var("v", __init__=Text())
sym.var("v", __mood__=3)
sym.var("v", __mood__=None)
sym.var("v", mood="fine")
sym.var("v", attr={"__init__": Text()})
sym.var("v", attr={"mood": "fine", "lr_multiplier": "1"})
sym.var("v", attr={"weight_lr_mult": "1"})
sym.var("v", attr={"weight_profiler_scope": "1"})
sym.var("v", attr={"profiler_scope": "1"})
sym.var("v", attr={"mood": None})
sym.var("v", lr_mult=3, wd_mult=0, init="xavier")
sym.var("v", attr={"lr_mult": "1"}, lr_mult=2)
set_attributes(sym.var("v"), lr_mult="2")
set_attributes(sym.var("v"), lr_multiplier="2")
set_attributes(sym.var("v"), weight_lr_mult="2")
set_attributes(sym.var("v"), xlr_mult="2")
set_attributes(sym.var("v"), _lr_mult="2")
set_attributes(sym.var("v"), __weight_lr_mult__="2")
set_attributes(sym.var("v"), weight_profiler_scope="2")
set_attributes(sym.var("v"), profiler_scope="2")
set_attributes(sym.var("v"), __init__=Text())
sym.var("v", __mood__="fine").attr("mood")
sym.var("v", __mood__="fine").attr("__mood__")
sym.var("v", lr_mult=2).attr("lr_mult")
sym.var("v", lr_mult=2).attr("__lr_mult__")
sym.sin(x, attr={"mood": "fine"}, name="s")
sym.sin(x, attr={"weight_lr_mult": "2"}, name="s")
sym.sin(x, __mood__=2, name="s")
sym.elemwise_add(x, x, attr={"__mood__": 2}, name="s")
sym.Concat(x, x, attr={"__mood__": 2}, name="s")
sym.Concat(x, x, lr_mult=2, name="s")
sym.zeros((2,), attr={"__mood__": 2}, name="z")
sym.zeros((2,), __mood__=2, name="z")
x.reshape((2,), __mood__=3, name="r")
sym.npx.leaky_relu(sym.var("a").as_np_ndarray(), attr={"__mood__": 3, "lr_mult": 2}, name="l")
sym.contrib.box_nms(x, __mood__=Text(), name="b")
sym.BatchNorm(x, moving_mean=sym.var("m"), moving_var=sym.var("v", init=mx.init.Zero()), name="b")
sym.BatchNorm(x, attr={"__init__": '["one", {}]'}, name="b")
sym.BatchNorm(x, moving_mean=sym.sin(x, name="s"), name="b")
sym.BatchNorm_v1(x, moving_mean=sym.var("m"), name="b")
sym.contrib.BatchNormWithReLU(x, moving_mean=sym.var("m"), name="b")
sym.npx.batch_norm(*[sym.var(n).as_np_ndarray() for n in "xgbmv"], name="b")
sym.LeakyReLU(x, sym.var("g"), act_type="prelu", name="p")
sym.LeakyReLU(x, act_type="prelu", attr={"__init__": '["one", {}]'}, name="p")
sym.UpSampling(x, scale=2, num_filter=1, sample_type="bilinear", name="u")
sym.UpSampling(x, sym.var("w"), scale=2, num_filter=1, sample_type="bilinear", name="u")
sym.UpSampling(x, sym.var("w"), sym.var("v"), scale=2, num_filter=1, sample_type="bilinear", name="u")
sym.UpSampling(x, scale=2, num_filter=1, sample_type="bilinear", name="u").infer_shape(x=(1, 1, 3, 3))
""".strip().splitlines()


class Text:
    """A value that is no text."""

    def __str__(self):
        return "a text"


def outcome_of_call(mx, call):
    """Return what a call gives: the attributes of all nodes, and the file; or what the error says."""
    sym = mx.sym
    x = sym.var("x")

    def affine(**given):
        return sym.FullyConnected(x, num_hidden=2, name="f", **given)

    def scoped(make, **attributes):
        with mx.AttrScope(**attributes):
            return make()

    def set_attributes(symbol, **attributes):
        symbol._set_attr(**attributes)
        return symbol

    names = {"mx": mx, "sym": sym, "x": x, "affine": affine, "scoped": scoped, "Text": Text}
    names["set_attributes"] = set_attributes
    try:
        made = eval(call, names)
    except Exception as error:
        words = [line for line in str(error).splitlines() if line.strip()]
        kind = type(error).__name__
        return f"{kind}: {re.sub(r'^.*?Check failed', 'Check failed', words[0].removeprefix('MXNetError: '))}"
    if not isinstance(made, sym.Symbol):
        return repr(made)
    attributes = {name: dict(sorted(of.items())) for name, of in sorted(made.attr_dict().items())}
    return [attributes, [[n["op"], n["name"], n.get("attrs", {})] for n in json.loads(made.tojson())["nodes"]]]
