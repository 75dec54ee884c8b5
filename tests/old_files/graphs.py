"""Graphs as old versions of MXNet wrote them, by hand: one for each thing that MXNet changes when it reads a file.

Nothing here needs this package or MXNet.
"""

import json

__all__ = ["GRAPHS", "shapes_of"]

#: Versions of files around each change, as numbers in files; None for a file that says nothing.
VERSIONS = (None, 800, 899, 900, 903, 904, 905, 1000, 10000, 10300, 10900, 10901)


def variable(name, **attrs):
    """Return a variable as version 0.8 wrote it."""
    return {"op": "null", "param": {}, "name": name, "inputs": [], "backward_source_id": -1, "attr": attrs}


def use(op, name, inputs, param=None, **attrs):
    """Return the use of an operator as version 0.8 wrote it; inputs are numbers of nodes, or such with an output."""
    entries = [list(i) if isinstance(i, tuple) else [i, 0] for i in inputs]
    node = {"op": op, "param": param or {}, "name": name, "inputs": entries, "backward_source_id": -1}
    return {**node, "attr": attrs} if attrs else node


def graph(*nodes, heads=None, version=None):
    """Return the text of a file; its output is the last node."""
    data = {
        "nodes": list(nodes),
        "arg_nodes": [i for i, node in enumerate(nodes) if node["op"] == "null"],
        "heads": [[len(nodes) - 1, 0]] if heads is None else heads,
    }
    if version is not None:
        data["attrs"] = {"mxnet_version": ["int", version]}
    return json.dumps(data, indent=2)


def all_changes(version):
    """Return a graph in which every change finds something."""
    return graph(
        variable("data", lr_mult="0.5"),
        variable("c_weight"),
        variable("c_bias"),
        use("Convolution", "c", [0, 1, 2], {"kernel": "(2, 2)", "num_filter": "2"}, weight_lr_mult="3"),
        variable("b_gamma"),
        variable("b_beta"),
        variable("b_moving_mean"),
        variable("b_moving_var", mood="fine"),
        use("BatchNorm", "b", [3, 4, 5, 6, 7], {"eps": "0.001"}, wd_mult="2"),
        use("argmax", "m", [8], {"axis": "-1"}),
        version=version,
    )


def without_states(version):
    """Return a graph that does not list the states of its batch normalization."""
    return graph(
        variable("data"), variable("b_gamma"), variable("b_beta"),
        use("BatchNorm", "b", [0, 1, 2], {"eps": "0.001", "fix_gamma": "False"}),
        version=version,
    )  # fmt: skip


def shared(first, second, reverse):
    """Return a graph whose two operators say different things of one variable."""
    left = use("FullyConnected", "l", [0, 1], {"num_hidden": "2", "no_bias": "True"}, weight_lr_mult=first)
    right = use("FullyConnected", "r", [0, 1], {"num_hidden": "2", "no_bias": "True"}, weight_lr_mult=second)
    inputs = [3, 2] if reverse else [2, 3]
    return graph(variable("data"), variable("w"), left, right, use("_Plus", "sum", inputs))


def affine(attrs, op_attrs):
    """Return one fully connected layer; the attributes of its weight, and those of the layer."""
    layer = use("FullyConnected", "f", [0, 1, 2], {"num_hidden": "2"}, **op_attrs)
    return graph(variable("data"), variable("f_weight", **attrs), variable("f_bias"), layer)


#: Hidden keys, each with a value.
KEYS = {"ctx_group": "a", "lr_mult": "2", "wd_mult": "3", "force_mirroring": "True", "mirror_stage": "1"}

PERCEPTRON = graph(
    variable("data", ctx_group="a", lr_mult="0.2"),
    variable("h_weight", ctx_group="a", wd_mult="0.3"),
    variable("h_bias", ctx_group="a", lr_mult="0"),
    use("FullyConnected", "h", [0, 1, 2], {"no_bias": "False", "num_hidden": "4"}, ctx_group="a", weight_lr_mult="1.5"),
    use("Activation", "relu", [3], {"act_type": "relu"}, ctx_group="a"),
    variable("n_gamma", ctx_group="b"),
    variable("n_beta", ctx_group="b", wd_mult="0"),
    use(
        "BatchNorm",
        "n",
        [4, 5, 6],
        {"eps": "0.001", "fix_gamma": "False", "momentum": "0.9", "use_global_stats": "False"},
        ctx_group="b",
    ),
    variable("o_weight", lr_mult="0.01"),
    variable("o_bias", lr_mult="2"),
    use("FullyConnected", "o", [7, 8, 9], {"no_bias": "False", "num_hidden": "3"}, lr_mult="0.5"),
    variable("softmax_label"),
    use(
        "SoftmaxOutput",
        "softmax",
        [10, 11],
        {
            "grad_scale": "1",
            "ignore_label": "-1",
            "multi_output": "False",
            "normalization": "null",
            "out_grad": "False",
            "preserve_shape": "False",
            "use_ignore": "False",
        },
    ),
)

GRAPHS = {
    "perceptron": PERCEPTRON,
    **{f"every change, {version}": all_changes(version) for version in VERSIONS},
    **{f"no states, {version}": without_states(version) for version in (None, 899, 900)},
    **{f"{key} of the variable": affine({key: value}, {}) for key, value in KEYS.items()},
    **{f"{key} of the operator": affine({}, {key: value}) for key, value in KEYS.items()},
    **{f"weight_{key} of the operator": affine({}, {f"weight_{key}": value}) for key, value in KEYS.items()},
    **{f"weight_{key} of the variable": affine({f"weight_{key}": value}, {}) for key, value in KEYS.items()},
    "bias_lr_mult beside weight_lr_mult": affine({"lr_mult": "7"}, {"weight_lr_mult": "2", "bias_lr_mult": "3"}),
    "a key of no input": affine({}, {"gamma_lr_mult": "2"}),
    "a key that begins like a hidden one": affine({"lr_multiplier": "1"}, {"lr_multiplier": "2"}),
    "a key without a variable": affine({"_lr_mult": "1", "xlr_mult": "3"}, {}),
    "a key without a variable, of the operator": affine({}, {"_lr_mult": "1"}),
    "keys with underscores": affine({"__lr_mult__": "1"}, {"__weight_lr_mult__": "2", "__mood__": "fine"}),
    "a key of two hidden ones": affine({}, {"weight_lr_mult_wd_mult": "1"}),
    "a key of an operator without settings": graph(
        variable("data"), use("sin", "s", [0], lr_mult="2", data_wd_mult="3", mood="fine", lr_multiplier="4")
    ),
    "a key of an input that is no variable": graph(
        variable("data"), use("sin", "s", [0]), use("Activation", "t", [1], {"act_type": "tanh"}, data_lr_mult="2")
    ),
    "a key of an input of an operator without settings": graph(
        variable("data"), use("sin", "s", [0]), use("sin", "t", [1], data_lr_mult="2")
    ),
    "shared, first and second": shared("1", "2", False),
    "shared, second and first": shared("1", "2", True),
    "only data": graph(variable("data"), use("FullyConnected", "f", [0], {"num_hidden": "2"}, lr_mult="3")),
    "only data, and no bias": graph(
        variable("data"), use("FullyConnected", "f", [0], {"num_hidden": "2", "no_bias": "True"})
    ),
    "only data of a convolution": graph(
        variable("data"),
        use("Convolution", "c", [0], {"kernel": "(2,2)", "num_filter": "2", "workspace": "1024", "cudnn_off": "0"}),
        use("Deconvolution", "d", [1], {"kernel": "(2,2)", "num_filter": "1", "no_bias": "True"}),
    ),
    "only data of an embedding": graph(
        variable("data"), use("Embedding", "e", [0], {"input_dim": "4", "output_dim": "2"})
    ),
    "only data of a loss": graph(variable("data"), use("SoftmaxOutput", "softmax", [0], {"grad_scale": "1"})),
    "only data of a regression": graph(variable("data"), use("LinearRegressionOutput", "lro", [0])),
    "only data of a recurrent layer": graph(
        variable("data"), use("RNN", "r", [0], {"mode": "lstm", "state_size": "2", "num_layers": "1"})
    ),
    "no name": graph(variable("data"), use("FullyConnected", "", [0], {"num_hidden": "2"})),
    "a prelu": graph(variable("data"), variable("p_gamma"), use("LeakyReLU", "p", [0, 1], {"act_type": "prelu"})),
    "a prelu without its slope": graph(
        variable("data"), use("LeakyReLU", "p", [0], {"act_type": "prelu", "slope": "0.5"})
    ),
    "a leaky relu": graph(variable("data"), use("LeakyReLU", "p", [0], {"act_type": "leaky", "slope": "0.5"})),
    "bilinear upsampling": graph(
        variable("data"),
        variable("u_weight"),
        use("UpSampling", "u", [0, 1], {"num_filter": "2", "scale": "2", "sample_type": "bilinear", "num_args": "2"}),
    ),
    "bilinear upsampling, counted without its weight": graph(
        variable("data"),
        variable("u_weight"),
        use("UpSampling", "u", [0, 1], {"num_filter": "2", "scale": "2", "sample_type": "bilinear", "num_args": "1"}),
    ),
    "bilinear upsampling without its weight": graph(
        variable("data"),
        use("UpSampling", "u", [0], {"num_filter": "2", "scale": "2", "sample_type": "bilinear", "num_args": "1"}),
    ),
    "upsampling": graph(
        variable("data"), use("UpSampling", "u", [0], {"scale": "2", "sample_type": "nearest", "num_args": "1"})
    ),
    "states that say how they begin": graph(
        variable("data"),
        variable("b_gamma"),
        variable("b_beta"),
        variable("m", __init__='["one", {}]'),
        variable("v"),
        use("BatchNorm", "b", [0, 1, 2, 3, 4], {"fix_gamma": "False"}),
        version=903,
    ),
    "an initializer that the operator says": graph(
        variable("data"),
        variable("b_gamma"),
        variable("b_beta"),
        use("BatchNorm", "b", [0, 1, 2], {"fix_gamma": "False"}, __init__='["one", {}]'),
    ),
    "shared states": graph(
        variable("data"),
        variable("g"),
        variable("b"),
        variable("m"),
        variable("v"),
        use("BatchNorm", "x", [0, 1, 2, 3, 4], {"fix_gamma": "False"}),
        use("BatchNorm", "y", [5, 1, 2, 3, 4], {"fix_gamma": "False"}),
        version=903,
    ),
    **{
        f"{op} over {axis}, {version}": graph(variable("data"), use(op, "m", [0], {"axis": axis}), version=version)
        for op in ("argmax", "argmin")
        for axis in ("-1", "1", "-2")
        for version in (904, 905)
    },
    "argmax without an axis": graph(variable("data"), use("argmax", "m", [0])),
    "argmax that keeps its axes": graph(variable("data"), use("argmax", "m", [0], {"axis": "-1", "keepdims": "True"})),
    "argmax over channels": graph(variable("data"), use("argmax_channel", "m", [0])),
    "fields of version 0.9": json.dumps(
        {
            "nodes": [
                {"op": "null", "name": "data", "inputs": []},
                {"op": "null", "name": "w", "attr": {"__lr_mult__": "2"}, "inputs": []},
                {
                    "op": "FullyConnected",
                    "name": "f",
                    "attr": {"num_hidden": "2", "no_bias": "True"},
                    "inputs": [[0, 0, 0], [1, 0, 0]],
                },
            ],
            "arg_nodes": [0, 1],
            "node_row_ptr": [0, 1, 2, 3],
            "heads": [[2, 0, 0]],
            "attrs": {"mxnet_version": ["int", 901]},
        }
    ),
    "fields of version 1.0": json.dumps(
        {
            "nodes": [
                {"op": "null", "name": "data", "inputs": []},
                {"op": "null", "name": "w", "attrs": {"__lr_mult__": "2"}, "inputs": []},
                {
                    "op": "FullyConnected",
                    "name": "f",
                    "attrs": {"num_hidden": "2", "no_bias": "True"},
                    "inputs": [[0, 0, 0], [1, 0, 0]],
                },
            ],
            "arg_nodes": [0, 1],
            "node_row_ptr": [0, 1, 2, 3],
            "heads": [[2, 0, 0]],
            "attrs": {"mxnet_version": ["int", 10000]},
        }
    ),
    "several outputs": graph(
        variable("data"),
        use("SliceChannel", "s", [0], {"num_outputs": "2", "axis": "1", "squeeze_axis": "False"}),
        use("_Minus", "d", [(1, 1), (1, 0)]),
        heads=[[2, 0], [1, 1]],
    ),
    "old names of arithmetic": graph(
        variable("data"),
        variable("b"),
        use("_Plus", "p", [0, 1]),
        use("_Mul", "m", [2, 0]),
        use("_Div", "q", [3, 1]),
        use("_PlusScalar", "ps", [4], {"scalar": "1.5"}),
        use("_MinusScalar", "ms", [5], {"scalar": "0.5"}),
        use("_RMinusScalar", "rms", [6], {"scalar": "2"}),
        use("_MulScalar", "mus", [7], {"scalar": "3"}),
        use("_DivScalar", "ds", [8], {"scalar": "4"}),
        use("_RDivScalar", "rds", [9], {"scalar": "1"}),
        use("_MaximumScalar", "xs", [10], {"scalar": "0.1"}),
        use("_MinimumScalar", "is", [11], {"scalar": "2"}),
        use("_PowerScalar", "pos", [12], {"scalar": "2"}),
        use("_Maximum", "mx", [13, 0]),
        use("_Minimum", "mi", [14, 1]),
    ),
    "old names of layers": graph(
        variable("data"),
        use("Flatten", "fl", [0]),
        use("Reshape", "re", [1], {"target_shape": "(0,8)"}),
        use("ElementWiseSum", "es", [2, 2], {"num_args": "2"}),
        use("SwapAxis", "sw", [3], {"dim1": "0", "dim2": "1"}),
        use("Cast", "ca", [4], {"dtype": "float32"}),
        use("BlockGrad", "bl", [5]),
        use("SoftmaxActivation", "sa", [6]),
    ),
    "the old name of a loss": graph(
        variable("data"), variable("l"), use("Softmax", "softmax", [0, 1], {"grad_scale": "2"})
    ),
    "old sums": graph(
        variable("data"),
        use("sum_axis", "s", [0], {"axis": "1"}),
        use("max_axis", "m", [1], {"axis": "1", "keepdims": "1"}),
        use("sum", "t", [2]),
    ),
    "pooling and dropout": graph(
        variable("data"),
        use("Pooling", "p", [0], {"kernel": "(2,2)", "pool_type": "max", "stride": "(1,1)", "global_pool": "False"}),
        use("Dropout", "d", [1], {"p": "0"}),
        use("Concat", "c", [1, 2], {"dim": "1", "num_args": "2"}),
        use("LRN", "l", [3], {"nsize": "3", "alpha": "0.0001", "beta": "0.75", "knorm": "2"}),
        use("Pooling", "q", [4], {"kernel": "(1,1)", "pool_type": "avg", "global_pool": "True"}),
    ),
    "a crop": graph(
        variable("data"),
        variable("like"),
        use("Crop", "c", [0, 1], {"num_args": "2", "offset": "(1,0)", "center_crop": "False"}),
    ),
    "versions 1 of batch normalization and convolution": graph(
        variable("data"),
        use("Convolution_v1", "c", [0], {"kernel": "(2,2)", "num_filter": "2", "no_bias": "True"}),
        use("BatchNorm_v1", "b", [1], {"fix_gamma": "False"}),
        use("Pooling_v1", "p", [2], {"kernel": "(2,2)", "pool_type": "sum"}),
    ),
    "an operator that does not exist": graph(variable("data"), use("Nonsense", "n", [0])),
    "an attribute that does not exist": graph(
        variable("data"), use("Activation", "t", [0], {"act_type": "tanh", "act": "1"})
    ),
    "a hidden key in a file of today": graph(
        variable("data"), use("Activation", "t", [0], {"act_type": "tanh"}, lr_mult="2"), version=10901
    ),
    "a hidden key of a variable in a file of today": graph(
        variable("data", lr_mult="2"), use("Activation", "t", [0], {"act_type": "tanh"}), version=10901
    ),
    "a file of tomorrow": graph(
        variable("data", lr_mult="2"), use("Activation", "t", [0], {"act_type": "tanh"}), version=20000
    ),
}


#: Shapes of what the graphs are computed with; the rest follows.
_SHAPES = {
    "only data of an embedding": {"data": (2, 3)},
    "only data of a recurrent layer": {"data": (3, 2, 4)},
    "old names of arithmetic": {"data": (2, 3), "b": (2, 3)},
    "a crop": {"data": (1, 2, 4, 4), "like": (1, 2, 2, 3)},
    "old names of layers": {"data": (2, 2, 2, 2)},
    "perceptron": {"data": (5, 6)},
}
_IMAGES = ("Convolution", "UpSampling", "BatchNorm", "Pooling", "sum_axis", "SliceChannel")


def shapes_of(name):
    """Return the shapes of the inputs of a graph."""
    if name in _SHAPES:
        return _SHAPES[name]
    return {"data": (2, 2, 4, 3) if any(f'"{op}' in GRAPHS[name] for op in _IMAGES) else (2, 3)}
