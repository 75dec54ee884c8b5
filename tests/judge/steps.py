"""What is done with a net: it is trained, saved, frozen, looked at."""

from __future__ import annotations

import random

from .plan import Step

__all__ = ["bucket_step", "module_step", "step"]

_TRAIN = (
    "inputs, labels = batch(SEED, SIZE)",
    "FIRST",
    "with autograd.record():",
    "    out = net(*inputs)",
    "    loss = measure(out, *labels)",
    "    LOSSES",
    "loss.backward()",
    "BEFORE",
    "trainer.step(RESCALE)",
    "note('STEP: output', out)",
    "note('STEP: loss', loss)",
    "watch('STEP', net, trainer)",
    "AFTER",
)
_ACCUMULATE = (
    "for part in range(COUNT):",
    "    inputs, labels = batch(SEED + part, SIZE)",
    "    with autograd.record():",
    "        out = net(*inputs)",
    "        loss = measure(out, *labels)",
    "        LOSSES",
    "    loss.backward()",
    "    note('STEP: loss', loss)",
    "    watch('STEP', net)",
    "BEFORE",
    "trainer.step(RESCALE)",
    "watch('STEP', net, trainer)",
    "AFTER",
)
_TWICE = (
    "losses = []",
    "with autograd.record():",
    "    for part in range(COUNT):",
    "        inputs, labels = batch(SEED + part, SIZE)",
    "        losses.append(measure(net(*inputs), *labels))",
    "BACKWARD",
    "trainer.step(RESCALE)",
    "note('STEP: loss', losses)",
    "watch('STEP', net, trainer)",
)
_PARTS = (
    "inputs, labels = batch(SEED, SIZE)",
    "with autograd.record():",
    "    loss = measure(net(*inputs), *labels)",
    "loss.backward()",
    "trainer.allreduce_grads()",
    "BEFORE",
    "trainer.update(RESCALE)",
    "watch('STEP', net, trainer)",
)
_SAVE = (
    "net.save_parameters('net.params')",
    "trainer.save_states('trainer.states')",
    "BETWEEN",
    "net = Net(prefix='net_')",
    "net.cast(DTYPE)",
    "net.load_parameters('net.params')",
    "AGAIN",
    "trainer = trainer_of(net)",
    "trainer.load_states('trainer.states')",
    "watch('STEP', net, trainer)",
)
_PREDICT = ("note('STEP: prediction', net(*batch(SEED, SIZE)[0]))",)

_LOSSES = (
    "loss = loss * 0.001", "loss = loss.mean()", "loss = loss * 8", "loss = loss + 0.1 * (out ** 2).sum()",
    "loss = [loss, (out * 0.1).sum()] and loss.sum() + out.mean()",
    "loss = loss + sum((p.data() ** 2).sum() for p in parameters(net) if p.grad_req != 'null') * 0.05",
)  # fmt: skip
_GRADIENTS = "[p.grad() for p in parameters(net) if p.grad_req != 'null']"
_BEFORE = (
    f"note('STEP: norm', gluon.utils.clip_global_norm({_GRADIENTS}, 0.3))",
    "trainer.set_learning_rate(0.03)",
    "trainer.set_learning_rate(trainer.learning_rate * 0.5)",
    "watch('STEP before', net)",
    f"for grad in {_GRADIENTS}: grad[:] = grad * 0.5",
    f"for grad in {_GRADIENTS}: grad[:] = nd.clip(grad, -0.02, 0.02)",
)
_AFTER = (
    "for p in parameters(net): p.zero_grad()",
    "for p in parameters(net): p.set_data(nd.clip(p.data(), -1, 1))",
)
_ADAMW = (
    "states = dict((p.name, (p.data() * 0, p.data() * 0)) for p in parameters(net))",
    "for part in range(COUNT):",
    "    inputs, labels = batch(SEED + part, SIZE)",
    "    with autograd.record():",
    "        loss = measure(net(*inputs), *labels)",
    "    loss.backward()",
    "    for p in parameters(net):",
    "        if p.grad_req != 'null' and p.grad().stype == 'default':",
    "            note('STEP: gradient of %s' % p.name, p.grad())",
    "            mean, var = states[p.name]",
    "            given = p.data(), p.grad().copy(), mean, var, array_of([1.0 / SIZE])",
    "            nd.contrib.adamw_update(*given, lr=0.1, eta=0.5, wd=0.1, beta2=0.5, out=p.data())",
    "            note('STEP: state of %s' % p.name, [mean, var])",
    "    watch('STEP', net)",
)
_OTHERS: tuple[tuple[str, ...], ...] = (
    ("trainer.set_learning_rate(0.05)",),
    ("net.hybridize()",),
    ("net.hybridize(False)",),
    ("net.hybridize(static_alloc=True, static_shape=True)",),
    ("for p in parameters(net)[::2]: p.grad_req = 'null'",),
    ("for p in parameters(net)[:2]: p.grad_req = 'null'",),
    ("for p in parameters(net): p.grad_req = 'write'",),
    ("for p in parameters(net): p.grad_req = 'add'",),
    ("for p in parameters(net): p.lr_mult = 0.5",),
    ("for p in parameters(net)[:2]: p.wd_mult = 0.0",),
    ("for p in parameters(net): p.zero_grad()",),
    ("p = parameters(net)[0]", "p.set_data(p.data() * 0.5)"),
    ("p = parameters(net)[-1]", "p.data()[:] = 0.25"),
    ("trainer = trainer_of(net)",),
    ("trainer.save_states('trainer.states')", "trainer.load_states('trainer.states')"),
    ("net.save_parameters('net.params')", "net.load_parameters('net.params')"),
    ("trainer._optimizer.rescale_grad = 0.5",),
    ("with autograd.record(train_mode=False):", "    net(*batch(SEED, SIZE)[0])", "watch('STEP', net)"),
    ("with autograd.record():", "    net(*batch(SEED, SIZE)[0])", "watch('STEP', net)"),
    ("with autograd.train_mode():", "    net(*batch(SEED, SIZE)[0])", "watch('STEP', net)"),
    ("net.export('net')", "note('STEP: arrays', [a for _, a in sorted(nd.load('net-0000.params').items())])"),
)


_BUCKET = (
    "arrays = batch(SEED, SIZE)",
    "shapes = shapes_of(*[[d[0] for d in one] for one in (mod.data_shapes, mod.label_shapes)], arrays)",
    "given = mx.io.DataBatch(*arrays, bucket_key=SIZE, provide_data=shapes[0], provide_label=shapes[1])",
)
_BUCKETS: tuple[tuple[str, ...], ...] = (
    (
        *_BUCKET,
        "mod.forward_backward(given)",
        "mod.update()",
        "note('STEP: result', mod.get_outputs())",
        "watch_module('STEP', mod._curr_module)",
    ),
    (*_BUCKET, "mod.forward(given, is_train=False)", "note('STEP: prediction', mod.get_outputs())"),
    (
        "args, auxs = mod.get_params()",
        "args = dict((name, value * 0.5) for name, value in args.items())",
        "mod.set_params(args, auxs)",
    ),
)
_MODULE: tuple[tuple[str, ...], ...] = (
    (
        "mod.forward_backward(mx.io.DataBatch(*batch(SEED, SIZE)))",
        "mod.update()",
        "note('STEP: result', mod.get_outputs())",
        "watch_module('STEP', mod)",
    ),
    (
        "given = mx.io.DataBatch(*batch(SEED, SIZE))",
        "mod.forward(given, is_train=True)",
        "mod.backward()",
        "mod.forward(given, is_train=False)",
        "mod.update()",
        "note('STEP: result', mod.get_outputs())",
        "watch_module('STEP', mod)",
    ),
    (
        "for part in range(COUNT):",
        "    mod.forward_backward(mx.io.DataBatch(*batch(SEED + part, SIZE)))",
        "mod.update()",
        "watch_module('STEP', mod)",
    ),
    (
        "mod.forward(mx.io.DataBatch(*batch(SEED, SIZE)), is_train=False)",
        "note('STEP: prediction', mod.get_outputs())",
    ),
    (
        "mod.save_checkpoint('mod', 1, save_optimizer_states=True)",
        "sym, args, auxs = mx.model.load_checkpoint('mod', 1)",
        "mod = module_of(sym)",
        "start(mod, SIZE, (args, auxs))",
        "mod.load_optimizer_states('mod-0001.states')",
        "watch_module('STEP', mod)",
    ),
    (
        "args, auxs = mod.get_params()",
        "args = dict((name, value * 0.5) for name, value in args.items())",
        "mod.set_params(args, auxs)",
    ),
    ("mod._optimizer.set_lr_mult({mod._param_names[0]: 0.5})",),
    ("mod._optimizer.set_wd_mult({mod._param_names[-1]: 2.0})",),
    (
        "X, Y = [a.asnumpy() for a in batch(SEED, 6)[0]], [a.asnumpy() for a in batch(SEED, 6)[1]]",
        "names = [name for name, _ in mod.data_shapes], [name for name, _ in mod.label_shapes]",
        "data = mx.io.NDArrayIter(dict(zip(names[0], X)), dict(zip(names[1], Y)), SIZE, last_batch_handle='discard')",
        "for given in data:",
        "    mod.forward_backward(given)",
        "    mod.update()",
        "watch_module('STEP', mod)",
    ),
)


def bucket_step(rng: random.Random, at: int) -> Step:
    """Return a step of a BucketingModule, whose buckets are sizes of batches.

    Parameters
    ----------
    rng : random.Random
        All choices.
    at : int
        The place.
    """
    sizes = (("SEED", 1000 + 20 * at), ("SIZE", rng.choice([1, 2, 3, 3])))
    return Step(rng.choices(_BUCKETS, [5, 1, 1])[0], sizes)


def module_step(rng: random.Random, at: int) -> Step:
    """Return what is done with a module at a place.

    Parameters
    ----------
    rng : random.Random
        All choices.
    at : int
        The place.
    """
    sizes = (("SEED", 1000 + 20 * at), ("SIZE", rng.choice([1, 2, 2, 2, 3])), ("COUNT", rng.choice([2, 3])))
    return Step(rng.choices(_MODULE, [6, 2, 2, 2, 2, 1, 1, 1, 2])[0], sizes)


def _some(rng: random.Random, word: str, lines: tuple[str, ...], share: float) -> tuple[tuple[str, str], ...]:
    return ((word, rng.choice(lines)),) if rng.random() < share else ()


def step(rng: random.Random, at: int, with_gradient: bool, scheduled: bool) -> Step:
    """Return what is done at a place.

    Parameters
    ----------
    rng : random.Random
        All choices.
    at : int
        The place.
    with_gradient : bool
        Whether the last input of the net can have a gradient.
    scheduled : bool
        Whether a schedule sets the learning rate.
    """
    size = rng.choice([1, 2, 3, 4, 5])
    sizes = (("SEED", 1000 + 20 * at), ("SIZE", size), ("RESCALE", rng.choice([1, size, size])))
    many = (*sizes, ("COUNT", rng.choice([2, 3])))
    kinds = {"train": 8, "accumulate": 2, "twice": 1, "parts": 1, "save": 2, "predict": 2, "other": 5, "adamw": 0.5}
    kind = rng.choices(list(kinds), list(kinds.values()))[0]
    if kind == "adamw":
        return Step(_ADAMW, many)
    if kind == "train":
        extras = _some(rng, "LOSSES", _LOSSES, 0.25) + _some(rng, "BEFORE", _BEFORE, 0.2)
        extras += _some(rng, "AFTER", _AFTER, 0.15)
        if with_gradient and rng.random() < 0.2:
            extras += (("FIRST", "inputs[-1].attach_grad()"),)
            extras += (("AFTER", "note('STEP: gradient of input', inputs[-1].grad)"),)
        return _allowed(Step(_TRAIN, sizes, extras), scheduled)
    if kind == "accumulate":
        return Step(_ACCUMULATE, many, (*_some(rng, "LOSSES", _LOSSES, 0.3), ("AFTER", _AFTER[0])))
    if kind == "twice":
        back = (
            "autograd.backward(losses)",
            "sum(l.sum() for l in losses).backward()",
            "for l in losses: l.backward(retain_graph=True)",
        )
        return Step(_TWICE, many, (("BACKWARD", rng.choice(back)),))
    if kind == "parts":
        return _allowed(Step(_PARTS, sizes, _some(rng, "BEFORE", _BEFORE, 0.5)), scheduled)
    if kind == "save":
        train = ("with autograd.record(): l = measure(net(*batch(3, 2)[0]), *batch(3, 2)[1])",)
        again = ("net.hybridize()", "for p in parameters(net)[:2]: p.grad_req = 'null'")
        return Step(_SAVE, sizes, _some(rng, "BETWEEN", train, 0.3) + _some(rng, "AGAIN", again, 0.5))
    if kind == "predict":
        return Step(_PREDICT, sizes)
    return _allowed(Step(rng.choice(_OTHERS), sizes), scheduled)


def _allowed(step: Step, scheduled: bool) -> Step:
    """Return the step without lines that a schedule forbids."""
    if not scheduled:
        return step
    lines = tuple("pass" if "set_learning_rate" in line else line for line in step.lines)
    return Step(lines, step.sizes, tuple(e for e in step.extras if "set_learning_rate" not in e[1]))
