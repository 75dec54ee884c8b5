"""Modules: symbols that are bound, trained, saved and shared; and the executors below them."""

from __future__ import annotations

import logging
import warnings

import numpy
import pytest

import d2lhybrid as mx

RANDOM = numpy.random.RandomState(3)
X = RANDOM.randn(40, 6).astype("f")
Y = (X[:, 0] > X[:, 1]).astype("f")


def classifier(hidden=8):
    x = mx.sym.FullyConnected(mx.sym.var("data"), num_hidden=hidden, name="fc1")
    x = mx.sym.FullyConnected(mx.sym.relu(x), num_hidden=2, name="fc2")
    return mx.sym.SoftmaxOutput(x, name="softmax")


def batches(size=8):
    return mx.io.NDArrayIter(X, Y, size)


def trained(contexts=None, kvstore="local", optimizer="sgd", update=True, **settings):
    module = mx.mod.Module(classifier(), context=contexts or mx.cpu())
    module.bind(*(lambda it: (it.provide_data, it.provide_label))(batches()))
    rng = numpy.random.RandomState(0)
    shapes = {"fc1_weight": (8, 6), "fc1_bias": (8,), "fc2_weight": (2, 8), "fc2_bias": (2,)}
    module.init_params(arg_params={k: mx.nd.array(rng.randn(*s) * 0.3) for k, s in shapes.items()}, aux_params={})
    module.init_optimizer(kvstore, optimizer, {"learning_rate": 0.3, **settings})
    for batch in batches() if update else ():
        module.forward_backward(batch)
        module.update()
    return module


def values(module):
    return {k: v.asnumpy() for k, v in module.get_params()[0].items()}


@pytest.mark.parametrize("kvstore", ["local", "device", None, "kv"])
@pytest.mark.parametrize("optimizer", ["sgd", "adam"])
def test_devices_divide_a_batch_and_come_to_the_same_parameters(kvstore, optimizer):
    expected = values(trained(optimizer=optimizer))
    store = mx.kv.create("local") if kvstore == "kv" else kvstore
    if kvstore is None:
        return  # without a store devices are not summed
    found = values(trained([mx.cpu(0), mx.cpu(1), mx.cpu(2)], store, optimizer))
    for name, value in expected.items():
        numpy.testing.assert_allclose(found[name], value, rtol=2e-5, atol=2e-6)


def test_a_module_trains_as_the_same_net_in_gluon():
    net = mx.gluon.nn.HybridSequential()
    net.add(mx.gluon.nn.Dense(8, activation="relu", in_units=6), mx.gluon.nn.Dense(2, in_units=8))
    net.initialize()
    first = trained(update=False)
    for parameter, value in zip(net.collect_params().values(), values(first).values(), strict=True):
        parameter.set_data(mx.nd.array(value))
    trainer = mx.gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 0.3})
    loss = mx.gluon.loss.SoftmaxCrossEntropyLoss()
    for batch in batches():
        with mx.autograd.record():
            total = loss(net(batch.data[0]), batch.label[0]).sum()
        total.backward()
        trainer.step(8)
    expected = [p.data().asnumpy() for p in net.collect_params().values()]
    found = values(trained())
    for name, value in zip(["fc1_weight", "fc1_bias", "fc2_weight", "fc2_bias"], expected, strict=True):
        numpy.testing.assert_allclose(found[name], value, rtol=1e-5, atol=1e-6)


def test_fit_tells_callbacks_and_the_logger(caplog):
    told = {"batch": [], "epoch": [], "score": []}
    module = mx.mod.Module(classifier())
    with caplog.at_level(logging.INFO):
        module.fit(
            batches(), eval_data=batches(), num_epoch=2, optimizer_params={"learning_rate": 0.5},
            batch_end_callback=[lambda p: told["batch"].append((p.epoch, p.nbatch))],
            epoch_end_callback=lambda epoch, symbol, args, aux: told["epoch"].append((epoch, sorted(args))),
            eval_end_callback=lambda p: told["score"].append(p.nbatch),
        )  # fmt: skip
    assert told["batch"] == [(e, b) for e in range(2) for b in range(5)]
    assert told["epoch"] == [(e, ["fc1_bias", "fc1_weight", "fc2_bias", "fc2_weight"]) for e in range(2)]
    assert told["score"] == [5, 5]
    texts = [r.getMessage() for r in caplog.records]
    assert [t.split("=")[0] for t in texts[:3]] == ["Epoch[0] Train-accuracy", "Epoch[0] Time cost",
                                                  "Epoch[0] Validation-accuracy"]  # fmt: skip


def test_callbacks_are_told_of_everything_by_its_name_in_mxnet():
    module, seen = mx.mod.Module(classifier(), label_names=["softmax_label"]), []
    train, test = batches(20), batches(20)
    module.fit(
        train, test, num_epoch=1, batch_end_callback=lambda told: seen.append(dict(told.locals)),
        eval_batch_end_callback=lambda told: seen.append(dict(told.locals)),
        eval_end_callback=lambda told: seen.append(dict(told.locals)),
    )  # fmt: skip
    first, last, *measured = seen
    assert {"allow_missing", "arg_params", "epoch_end_callback", "kvstore", "optimizer_params", "tic"} < set(first)
    for told in (first, last):
        assert told["self"] is module and told["train_data"] is train and told["eval_data"] is test
        assert told["epoch"] == 0 and isinstance(told["eval_metric"], mx.metric.Accuracy)
    assert (first["nbatch"], first["end_of_batch"], last["nbatch"], last["end_of_batch"]) == (0, False, 1, True)
    assert first["next_data_batch"] is last["data_batch"] is last["next_data_batch"] is not first["data_batch"]
    assert [(told["nbatch"], told["actual_num_batch"]) for told in measured] == [(0, 0), (1, 1), (1, 2)]
    assert measured[0]["self"] is module and measured[0]["eval_data"] is test and "eval_batch" in measured[0]


def test_predictions_leave_out_what_only_fills_the_last_batch():
    module, uneven = trained(), mx.io.NDArrayIter(X[:21], Y[:21], 8)
    whole = module.predict(uneven)
    assert whole.shape == (21, 2)
    parts = module.predict(uneven, merge_batches=False)
    assert [p[0].shape[0] for p in parts] == [8, 8, 5]
    assert len(module.predict(uneven, num_batch=1)) == 8
    numpy.testing.assert_array_equal(module.predict(uneven, always_output_list=True)[0].asnumpy(), whole.asnumpy())
    numpy.testing.assert_allclose(module.predict(X[:8]).asnumpy(), whole[:8].asnumpy(), rtol=1e-6)


def test_batches_of_other_sizes_go_through_and_share_the_parameters():
    module = trained()
    expected = module.predict(mx.io.NDArrayIter(X, Y, 8)).asnumpy()
    for size in (3, 40, 8, 1):
        module.forward(mx.io.DataBatch([mx.nd.array(X[:size])], [mx.nd.array(Y[:size])]), is_train=False)
        numpy.testing.assert_allclose(module.get_outputs()[0].asnumpy(), expected[:size], rtol=1e-5)
    assert module.data_shapes[0].shape == (1, 6)


@pytest.mark.parametrize("contexts", [[mx.cpu()], [mx.cpu(0), mx.cpu(1)]])
def test_a_checkpoint_goes_on_where_it_was_left(tmp_path, contexts):
    module = trained(contexts, momentum=0.9)
    module.save_checkpoint(str(tmp_path / "net"), 3, save_optimizer_states=True)
    assert sorted(p.name for p in tmp_path.iterdir()) == ["net-0003.params", "net-0003.states", "net-symbol.json"]
    again = mx.mod.Module.load(str(tmp_path / "net"), 3, load_optimizer_states=True, context=contexts)
    again.bind(batches().provide_data, batches().provide_label)
    again.init_optimizer("local", "sgd", {"learning_rate": 0.3, "momentum": 0.9})
    batch = next(batches())
    for one in (module, again):
        one.forward_backward(batch)
        one.update()
    for name, value in values(module).items():
        numpy.testing.assert_array_equal(values(again)[name], value)


def bucket(key):
    x = mx.sym.Embedding(mx.sym.var("data"), input_dim=9, output_dim=4, name="embed")
    x = mx.sym.FullyConnected(mx.sym.sum(x, axis=1), num_hidden=3, name="fc")
    return mx.sym.SoftmaxOutput(x, name="softmax"), ("data",), ("softmax_label",)


def sentence_batch(length, size=4):
    data = mx.nd.array(RANDOM.randint(0, 9, (size, length)))
    return mx.io.DataBatch(
        [data], [mx.nd.array(RANDOM.randint(0, 3, size))], bucket_key=length, pad=0,
        provide_data=[mx.io.DataDesc("data", data.shape)], provide_label=[mx.io.DataDesc("softmax_label", (size,))],
    )  # fmt: skip


def test_buckets_share_parameters_and_memory(tmp_path):
    module = mx.mod.BucketingModule(bucket, default_bucket_key=10)
    module.bind([("data", (4, 10))], [("softmax_label", (4,))])
    module.init_params(mx.init.Uniform(0.5))
    module.init_optimizer(optimizer_params={"learning_rate": 0.5})
    before = values(module)
    for length in (10, 3, 5, 10, 3):
        module.forward_backward(sentence_batch(length))
        module.update()
    after = values(module)
    assert all((before[k] != after[k]).any() for k in after)
    executors = [m._exec_group.execs[0] for m in module._buckets.values()]
    assert len(executors) == 3
    for executor in executors[1:]:
        assert executor.arg_dict["fc_weight"] is executors[0].arg_dict["fc_weight"]
        assert numpy.shares_memory(executor.arg_dict["data"]._data, executors[0].arg_dict["data"]._data)
    module.save_checkpoint(str(tmp_path / "b"), 1)
    again = mx.mod.BucketingModule.load(str(tmp_path / "b"), 1, bucket, 10)
    again.bind([("data", (4, 10))], [("softmax_label", (4,))])
    batch = sentence_batch(5)
    for one in (module, again):
        one.forward(batch, is_train=False)
    numpy.testing.assert_array_equal(again.get_outputs()[0].asnumpy(), module.get_outputs()[0].asnumpy())


def test_a_chain_of_modules_goes_back_through_a_loss_in_python():
    def gradient(scores, labels):
        soft = mx.nd.softmax(scores)
        return soft - mx.nd.one_hot(labels, 2)

    hidden = mx.sym.FullyConnected(mx.sym.var("data"), num_hidden=2, name="fc")
    chain = mx.mod.SequentialModule()
    chain.add(mx.mod.Module(hidden, label_names=[])).add(
        mx.mod.PythonLossModule(data_names=["fc_output"], grad_func=gradient), take_labels=True, auto_wiring=True
    )
    chain.fit(batches(), num_epoch=4, optimizer_params={"learning_rate": 1.0}, eval_metric="acc")
    assert chain.score(batches(), "acc")[0][1] > 0.8
    with pytest.raises(AssertionError, match='Unknown meta "take_label", a typo'):
        chain.add(chain, take_label=True)


def test_states_are_carried_from_batch_to_batch():
    total = mx.sym.var("data") + mx.sym.var("state")
    module = mx.mod.Module(total, label_names=None, state_names=["state"], context=[mx.cpu(0), mx.cpu(1)])
    module.bind([("data", (4, 2))], for_training=False)
    module.init_params()
    module.set_states(value=1)
    batch = mx.io.DataBatch([mx.nd.ones((4, 2))])
    module.forward(batch)
    module.set_states(states=module.get_outputs(merge_multi_context=False))
    module.forward(batch)
    assert (module.get_outputs()[0].asnumpy() == 3).all()


def test_fixed_parameters_stay():
    module = mx.mod.Module(classifier(), fixed_param_names=["fc1_weight"])
    module.bind(batches().provide_data, batches().provide_label)
    module.init_params(mx.init.Uniform(0.5))
    module.init_optimizer()
    before = {k: v.copy() for k, v in values(module).items()}
    module.forward_backward(next(batches()))
    module.update()
    changed = {k for k, v in values(module).items() if (v != before[k]).any()}
    assert changed == {"fc1_bias", "fc2_weight", "fc2_bias"}


def unbound():
    return mx.mod.Module(classifier())


def bound():
    module = unbound()
    module.bind(batches().provide_data, batches().provide_label)
    return module


BAD = {
    "no such input": (lambda: mx.mod.Module(classifier(), data_names=["image"]), ValueError, "You created Module"),
    "not bound": (lambda: unbound().init_params(), AssertionError, r"call bind\(\) before init_params"),
    "not initialized": (lambda: bound().forward(next(batches())), AssertionError, "before forward"),
    "other names": (lambda: unbound().bind([("image", (8, 6))]), ValueError, "Data provided by data_shapes"),
    "two sizes": (
        lambda: unbound().bind([("data", (8, 6))], [("softmax_label", (7,))]), AssertionError, "same batch size"
    ),
    "too many devices": (
        lambda: mx.mod.Module(classifier(), context=[mx.cpu(i) for i in range(9)]).bind([("data", (8, 6))]),
        ValueError, "Too many slices",
    ),
    "a value is missing": (
        lambda: bound().init_params(arg_params={"fc1_bias": mx.nd.zeros(8)}, aux_params={}), RuntimeError,
        "is not presented",
    ),
    "no epochs": (lambda: unbound().fit(batches()), AssertionError, "please specify number of epochs"),
    "what is it": (lambda: trained().predict("data"), ValueError, "eval_data must be of type"),
    "no optimizer": (lambda: bound().update(), AssertionError, "init_optimizer"),
    "a store of no kind": (lambda: trained(kvstore=3), TypeError, "kvstore must be KVStore, str or None"),
}  # fmt: skip


@pytest.mark.parametrize("name", BAD)
def test_mistakes_are_named(name):
    run, kind, message = BAD[name]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with pytest.raises(kind, match=message):
            run()


def test_a_module_that_could_not_be_bound_is_not():
    module = unbound()
    with pytest.raises(AssertionError), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        module.bind([("data", (8, 6))], [("softmax_label", (7,))])
    assert not module.binded
    module.bind(batches().provide_data, batches().provide_label)
    assert module.binded


def test_a_monitor_sees_outputs_gradients_and_parameters():
    module = bound()
    monitor = mx.mon.Monitor(2, pattern="fc2|softmax", sort=True)
    module.install_monitor(monitor)
    module.init_params(mx.init.Uniform(0.5))
    seen = []
    for batch in batches():
        monitor.tic()
        module.forward_backward(batch)
        seen.append([name for _, name, _ in monitor.toc()])
    names = [
        "fc2_backward_output0", "fc2_backward_output1", "fc2_backward_output2", "fc2_bias", "fc2_output", "fc2_weight",
        "softmax_backward_output0", "softmax_backward_output1", "softmax_label", "softmax_output",
    ]  # fmt: skip
    assert seen == [names, [], names, [], names]


def test_what_a_monitor_sees_changes_nothing():
    plain, watched = trained(update=False), trained(update=False)
    watched.install_monitor(mx.mon.Monitor(1))
    for batch in batches():
        for module in (plain, watched):
            module.forward_backward(batch)
            module.update()
    for name, value in values(plain).items():
        numpy.testing.assert_allclose(values(watched)[name], value, rtol=1e-6, atol=1e-7)


def test_the_oldest_way_to_train():
    with pytest.warns(DeprecationWarning, match="FeedForward has been deprecated"):
        model = mx.model.FeedForward(classifier(), num_epoch=8, learning_rate=1.0, numpy_batch_size=8)
    numpy.random.seed(0)
    model.fit(X, Y)
    assert model.score(batches()) > 0.85
    predicted, data, label = model.predict(batches(), return_data=True)
    assert (predicted.shape, data.shape, label.shape) == ((40, 2), (40, 6), (40,))
    with pytest.raises(ValueError, match="The numbers of data points and labels not equal"):
        model.fit(X, Y[:5])


@pytest.mark.parametrize("allow_missing", [False, True])
def test_a_dictionary_may_hold_more_than_the_parameters(allow_missing):
    net = mx.sym.FullyConnected(mx.sym.var("data"), num_hidden=1, name="f")
    module = mx.mod.Module(net, label_names=None)
    module.bind([("data", (2, 3))])
    given = {"f_weight": mx.nd.ones((1, 3)), "f_bias": mx.nd.ones(1), "of_another_layer": mx.nd.ones(1)}
    module.init_params(arg_params=given, allow_missing=allow_missing)
    assert module.get_params()[0]["f_bias"].asscalar() == 1
    if allow_missing:  # as in MXNet
        with pytest.raises(ValueError, match="of_another_layer"):
            module.set_params(given, {}, allow_missing=True)
    else:
        module.set_params(given, {})


def test_feed_forward_tells_what_mxnets_tells(caplog):
    numpy.random.seed(0)
    with pytest.warns(DeprecationWarning):
        model = mx.model.FeedForward(classifier(), num_epoch=1, epoch_size=5, learning_rate=1.0)
    seen = []
    with caplog.at_level(logging.INFO):
        model.fit(
            batches(12), eval_data=batches(12), batch_end_callback=lambda p: seen.append(p.nbatch),
            eval_batch_end_callback=lambda p: seen.append(-p.nbatch),
        )  # fmt: skip
    told = [line.partition("=")[0] for line in caplog.messages]
    rounds = -(-len(X) // 12)
    resets = ["Epoch[0] Resetting Data Iterator"] * (4 // rounds)
    assert told == ["Start training with [cpu(0)]", *resets, "Epoch[0] Time cost", "Epoch[0] Validation-accuracy"]
    assert seen == [1, 2, 3, 4, 5, *(-n for n in range(rounds))]


def test_a_parameter_that_is_not_given_is_mxnets_error():
    module = mx.mod.Module(classifier())
    module.bind([("data", (8, 6))], [("softmax_label", (8,))])
    with pytest.raises(RuntimeError, match="fc1_bias is not presented") as caught:
        module.set_params({}, {})
    assert type(caught.value) is RuntimeError


def test_a_monitor_writes_numbers_as_mxnets_does(caplog):
    executor = (mx.sym.var("x") * 3).bind(mx.cpu(), {"x": mx.nd.array([0.1, 0.1])})
    monitor = mx.mon.Monitor(1, stat_func=lambda v: v[0:1])
    monitor.install(executor)
    monitor.tic()
    executor.forward()
    with caplog.at_level(logging.INFO):
        monitor.toc_print()
    assert caplog.messages[-1] == f"Batch: {1:7d} {'x':30s} 0.1\t"
