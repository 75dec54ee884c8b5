"""What a program learns of a file: what it lists, what it computes, and what is written back.

``python tests/old_files/answers.py OUT.jsonl`` records it with MXNet 1.9.1, whose interpreter has to run it. It needs
no other file than its neighbours.
"""

import json
import os
import re
import sys
import tempfile
import warnings

if __name__ == "__main__":
    sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
    from attribute_calls import CALLS, outcome_of_call  # type: ignore[import-not-found]
    from graphs import GRAPHS, PERCEPTRON, shapes_of  # type: ignore[import-not-found]
    from plain import numbers as random_numbers  # type: ignore[import-not-found]
    from plain import plain_graph
else:
    from .attribute_calls import CALLS, outcome_of_call
    from .graphs import GRAPHS, PERCEPTRON, shapes_of
    from .plain import numbers as random_numbers
    from .plain import plain_graph

__all__ = ["GRAPHS", "USES", "answer", "answers", "numbers", "use_answer"]


def numbers(name, shape):
    """Return values between 0.1 and 1, the same for the same name."""
    return random_numbers(name, shape, 0.1)


def first_line(error):
    """Return what an error says, without what only MXNet's own compiler knows."""
    lines = [line for line in str(error).splitlines() if line.strip()]
    while lines and (lines[0].startswith(("Traceback", "  File"))):
        lines.pop(0)
    text = lines[0] if lines else ""
    return re.sub(r"\[\d\d:.*?(?=Check failed)", "", text.removeprefix("MXNetError: "))


def listed(attrs):
    """Return attributes in an order of their own."""
    return {name: dict(sorted(of.items())) for name, of in sorted(attrs.items())}


def values(array):
    """Return an array as a list."""
    return [float(f"{value:.6g}") for value in array.asnumpy().ravel().tolist()]


def answer(mx, name):
    """Return what is to be known of a graph, or what the error says."""
    try:
        symbol = mx.sym.load_json(GRAPHS[name])
    except Exception as error:
        return {"error": first_line(error)}
    return {
        "arguments": symbol.list_arguments(),
        "states": symbol.list_auxiliary_states(),
        "outputs": symbol.list_outputs(),
        "attributes": listed(symbol.attr_dict()),
        "file": plain_graph(symbol.tojson()),
        **computed(mx, symbol, name),
    }


def labels(args):
    """Return the names and the shapes of labels, which are numbers of classes."""
    return [(n, a.shape) for n, a in args.items() if n in ("softmax_label", "l")]


def computed(mx, symbol, name):
    """Return shapes, outputs, gradients, and states afterwards."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # shapes that do not follow
            arguments, _, states = symbol.infer_shape(**shapes_of(name))
    except Exception as error:
        return {"shapes": first_line(error)}
    if arguments is None:
        return {"shapes": None}
    args = {n: mx.nd.array(numbers(n, shape)) for n, shape in zip(symbol.list_arguments(), arguments, strict=True)}
    aux = {n: mx.nd.array(numbers(n, shape)) for n, shape in zip(symbol.list_auxiliary_states(), states, strict=True)}
    grads = {n: mx.nd.zeros(a.shape) for n, a in args.items()}
    if '"Embedding"' in GRAPHS[name]:  # indices have no gradient
        del grads["data"]
    if '"op": "arg' in GRAPHS[name]:
        grads = {}
    requests = {n: "write" if n in grads else "null" for n in args}
    args.update({n: mx.nd.array([1, 0, 2, 1, 0][: shape[0]]) for n, shape in labels(args)})
    executor = symbol.bind(mx.cpu(), args, grads, requests, aux)
    outputs = executor.forward(is_train=bool(grads))  # without gradients MXNet fuses layers as for predictions
    if grads:
        executor.backward([mx.nd.array(numbers("gradient", y.shape)) for y in outputs])
    return {
        "shapes": {**{n: list(a.shape) for n, a in args.items()}, **{n: list(a.shape) for n, a in aux.items()}},
        "values": [values(y) for y in outputs],
        "gradients": {n: values(g) for n, g in grads.items()},
        "states afterwards": {n: values(a) for n, a in aux.items()},
    }


# --- programs with an old file ---------------------------------------------------------------------------------------


def perceptron_parameters(mx):
    """Return the parameters of the perceptron as a file holds them."""
    symbol = mx.sym.load_json(PERCEPTRON)
    arguments, _, states = symbol.infer_shape(data=(5, 6))
    named = zip(symbol.list_arguments() + symbol.list_auxiliary_states(), arguments + states, strict=True)
    shapes = {n: s for n, s in named if n not in ("data", "softmax_label")}
    states_ = symbol.list_auxiliary_states()
    return {("aux:" if n in states_ else "arg:") + n: mx.nd.array(numbers(n, s)) for n, s in shapes.items()}


def checkpoint(mx, folder):
    """Write an old checkpoint: the file of a graph of version 0.8, and parameters."""
    prefix = os.path.join(folder, "old")
    with open(prefix + "-symbol.json", "w") as stream:
        stream.write(PERCEPTRON)
    mx.nd.save(prefix + "-0003.params", perceptron_parameters(mx))
    return prefix


def data_of(mx):
    """Return data and labels for the perceptron."""
    return mx.nd.array(numbers("data", (5, 6))), mx.nd.array([0, 1, 2, 1, 0])


def arrays(named):
    """Return arrays by name as lists."""
    return {n: values(a) for n, a in sorted(named.items())}


def train_a_module(mx, folder):
    """Train a module from a checkpoint: rates and decays are multiplied as the file says."""
    module = mx.mod.Module.load(checkpoint(mx, folder), 3, label_names=("softmax_label",))
    module.bind([("data", (5, 6))], [("softmax_label", (5,))])
    module.init_optimizer(optimizer="sgd", optimizer_params={"learning_rate": 0.5, "wd": 0.1, "momentum": 0.9})
    x, y = data_of(mx)
    for _ in range(3):
        module.forward(mx.io.DataBatch([x], [y]), is_train=True)
        module.backward()
        module.update()
    mx.nd.waitall()  # MXNet may otherwise read running means that its backward pass is about to move
    args, aux = module.get_params()
    return {"arguments": arrays(args), "states": arrays(aux)}


def initialize_a_module(mx, folder):
    """Initialize a module without parameters: states begin as the operator says."""
    module = mx.mod.Module(mx.sym.load(checkpoint(mx, folder) + "-symbol.json"))
    module.bind([("data", (5, 6))], [("softmax_label", (5,))])
    module.init_params(mx.init.Constant(0.25))
    args, aux = module.get_params()
    return {"arguments": arrays(args), "states": arrays(aux)}


def load_a_checkpoint(mx, folder):
    """Read the parts of a checkpoint, and write them again."""
    symbol, args, aux = mx.model.load_checkpoint(checkpoint(mx, folder), 3)
    again = os.path.join(folder, "again")
    mx.model.save_checkpoint(again, 4, symbol, args, aux)
    symbol, args, aux = mx.model.load_checkpoint(again, 4)
    return {"outputs": symbol.list_outputs(), "arguments": arrays(args), "states": arrays(aux)}


def predict_with_feed_forward(mx, folder):
    """Predict with the oldest class of models."""
    model = mx.model.FeedForward.load(checkpoint(mx, folder), 3)
    return {"values": [float(f"{v:.6g}") for v in model.predict(data_of(mx)[0].asnumpy()).ravel().tolist()]}


def import_a_block(mx, folder):
    """Import a graph and parameters into a block, use a part of it, and export it."""
    prefix = checkpoint(mx, folder)
    block = mx.gluon.SymbolBlock.imports(
        prefix + "-symbol.json", ["data", "softmax_label"], prefix + "-0003.params", mx.cpu()
    )
    x, y = data_of(mx)
    imported = values(block(x, y))
    inner = mx.sym.load(prefix + "-symbol.json").get_internals()["o_output"]
    features = mx.gluon.SymbolBlock(inner, mx.sym.var("data"))
    features.collect_params().load(prefix + "-0003.params", mx.cpu(), ignore_extra=True, restore_prefix="")
    with mx.autograd.record():
        out = features(x)
    out.backward(mx.nd.array(numbers("gradient", out.shape)))
    gradients = {n: values(p.grad()) for n, p in features.collect_params().items() if p.grad_req != "null"}
    multipliers = {n: [p.lr_mult, p.wd_mult, p.grad_req] for n, p in features.collect_params().items()}
    features.hybridize()
    features(x)
    features.export(os.path.join(folder, "features"))
    again = mx.gluon.SymbolBlock.imports(
        os.path.join(folder, "features-symbol.json"), ["data"], os.path.join(folder, "features-0000.params"), mx.cpu()
    )
    return {
        "imported": imported, "features": values(out), "gradients": dict(sorted(gradients.items())),
        "multipliers": dict(sorted(multipliers.items())), "exported": values(again(x)),
    }  # fmt: skip


USES = {
    use.__name__: use
    for use in (
        train_a_module, initialize_a_module, load_a_checkpoint, predict_with_feed_forward, import_a_block,
    )
}  # fmt: skip


def use_answer(mx, name):
    """Return what a program gives, or what the error says."""
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # nothing says which types the inputs have
        try:
            return USES[name](mx, folder)
        except Exception as error:
            return {"error": first_line(error)}


def answers(mx):
    """Return all answers."""
    return {
        "graphs": {name: answer(mx, name) for name in GRAPHS},
        "uses": {name: use_answer(mx, name) for name in USES},
        "calls": {call: outcome_of_call(mx, call) for call in CALLS},
    }


if __name__ == "__main__":
    import mxnet  # type: ignore[import-not-found]

    made = answers(mxnet)
    with open(sys.argv[1], "w", encoding="utf-8") as stream:
        for part in sorted(made):  # a line for each answer
            for key in made[part]:
                stream.write(json.dumps([part, key, made[part][key]], sort_keys=True) + "\n")
