"""The examples of MXNet: each program on small data. It has to run to its end, or until its time is over.

The page is ``docs/example_programs.md``, with the reasons of those that fail.
"""

from __future__ import annotations

import os
import shlex
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from . import process
from .data.of_programs import RECIPES
from .page import page, told_names
from .peer import MXNET
from .runner import Description, Report

__all__ = ["DESCRIPTION", "PROGRAMS", "Program"]


class Program(NamedTuple):
    """A program and how it is called.

    Attributes
    ----------
    path : str
        Where it lies below ``example``.
    arguments : str
        What is written behind its name.
    data : tuple of str
        Which recipes of :mod:`.data.of_programs` make its files.
    after : str
        A program whose results it needs, and which runs before it in the same folder.
    where : str
        The folder in which it is started, seen from its own.
    """

    path: str
    arguments: str = ""
    data: tuple[str, ...] = ()
    after: str = ""
    where: str = "."


PROGRAMS = (
    Program("adversary/adversary_generation.ipynb", "", ("mnist_home",)),
    Program("autoencoder/convolutional_autoencoder.ipynb", "", ("fashion_home",)),
    Program("autoencoder/variational_autoencoder/VAE_example.ipynb", "", ("mnist_whole",)),
    Program("bayesian-methods/bdk.ipynb", "", ("mnist_npz",)),
    Program("bayesian-methods/sgld.ipynb"),
    Program("bayesian-methods/bdk_demo.py", "-d 0 -l 1", ("toy",)),
    Program("bayesian-methods/bdk_demo.py", "-d 0 -l 2", ("toy",)),
    Program("bayesian-methods/bdk_demo.py", "-d 0 -l 3", ("toy",)),
    Program("bayesian-methods/bdk_demo.py", "-d 1 -l 0 -t 1000", ("mnist_npz",)),
    Program("bayesian-methods/bdk_demo.py", "-d 1 -l 1 -t 1000", ("mnist_npz",)),
    Program("bayesian-methods/bdk_demo.py", "-d 1 -l 2 -t 1000", ("mnist_npz",)),
    Program("bayesian-methods/bdk_demo.py", "-d 2"),
    Program("bi-lstm-sort/bi-lstm-sort.ipynb"),
    Program("capsnet/capsulenet.py", "--devices cpu --num_epoch 1 --batch_size 20", ("mnist",)),
    Program("cnn_chinese_text_classification/text_cnn.py", "--num-epochs 1", ("polarity",)),
    Program("cnn_text_classification/text_cnn.py", "--num-epochs 1", ("polarity",)),
    Program("ctc/lstm_ocr_train.py", "/usr/share/fonts/truetype --cpu 1 --num_proc 1"),
    Program("ctc/lstm_ocr_infer.py", "sample.png", ("digits_in_a_picture",)),
    Program("deep-embedded-clustering/dec.py", "", ("mnist",)),
    Program("dsd/mlp.py", "--pruning_switch_epoch 1,2 --weight_sparsity 0,50 --bias_sparsity 0,0", ("mnist",)),
    Program("dsd/mlp.py", "--pruning_switch_epoch 1,2 --weight_threshold 0,0.001 --bias_threshold 0,0", ("mnist",)),
    Program("fcn-xs/fcn_xs.py", "--model fcn32s", ("segments",)),
    Program("fcn-xs/image_segmentaion.py", "--input input/a.jpg", ("segmented",)),
    Program("gluon/actor_critic/actor_critic.py", "", ("game",)),
    Program("gluon/audio/urban_sounds/train.py", "--train Train --csv train.csv --epochs 2", ("sounds",)),
    Program("gluon/audio/urban_sounds/predict.py", "--pred Test", after="gluon/audio/urban_sounds/train.py"),
    Program("gluon/dc_gan/dcgan.py", "--nepoch 1 --dataset mnist --inception_score ''", ("mnist",)),
    Program("gluon/dc_gan/dcgan.py", "--nepoch 1 --dataset cifar10 --inception_score ''", ("cifar10",)),
    Program(
        "gluon/embedding_learning/train.py", "--epochs 1 --batch-size 10 --batch-k 5 --model resnet18_v2", ("birds",)
    ),
    Program("gluon/house_prices/kaggle_k_fold_cross_validation.py", "", ("houses",)),
    Program(
        "gluon/image_classification.py", "--model resnet18_v1 --dataset dummy --epochs 1 --batch-size 2 --use_thumbnail"
    ),
    Program(
        "gluon/image_classification.py", "--model resnet18_v1 --dataset dummy --epochs 1 --batch-size 2 --mode hybrid"
    ),
    Program(
        "gluon/image_classification.py",
        "--model squeezenet1.0 --dataset dummy --epochs 1 --batch-size 2 --mode symbolic",
    ),
    Program("gluon/image_classification.py", "--model mobilenet0.25 --dataset cifar10 --epochs 1 -j 0", ("cifar10",)),
    Program("gluon/image_classification.py", "--model mobilenet0.25 --dataset mnist --epochs 1 -j 0", ("mnist",)),
    Program("gluon/lipnet/main.py", "--batch_size 2 --epochs 1 --num_gpus 0", ("lips",)),
    Program("gluon/lipnet/infer.py", "--batch_size 2 --num_gpus 0", ("lips",)),
    Program("gluon/lstm_crf/lstm_crf.py"),
    Program("gluon/mnist/mnist.py", "--epochs 1", ("mnist",)),
    Program("gluon/sn_gan/train.py", "--epochs 1", ("cifar10",)),
    Program("gluon/style_transfer/main.py", "train --cuda 0 --epochs 1 --image-size 32 --style-size 32", ("styles",)),
    Program(
        "gluon/super_resolution/super_resolution.py", "--epochs 1 --batch_size 2 --test_batch_size 2", ("photographs",)
    ),
    Program("gluon/tree_lstm/main.py", "--word_embed data/glove/glove.txt --epochs 2", ("trees",)),
    Program("gluon/word_language_model/train.py", "--epochs 1 --emsize 20 --nhid 20 --tied", ("wikitext",)),
    Program(
        "gluon/word_language_model/train.py", "--epochs 1 --emsize 20 --nhid 20 --model gru --hybridize", ("wikitext",)
    ),
    Program("gluon/word_language_model/train.py", "--epochs 1 --emsize 20 --nhid 20 --export-model", ("wikitext",)),
    Program("image-classification/benchmark_score.py", "--network alexnet --batch-size 1"),
    Program("image-classification/benchmark_score.py", "--network resnetv1-50 --batch-size 1"),
    Program("image-classification/benchmark_score.py", "--network resnet-50 --batch-size 1"),
    Program("image-classification/benchmark_score.py", "--network inception-bn --batch-size 1"),
    Program("image-classification/benchmark_score.py", "--network inception-v3 --batch-size 1"),
    Program("image-classification/benchmark_score.py", "--network inception-v4 --batch-size 1"),
    Program("image-classification/benchmark_score.py", "--network inception-resnet-v2 --batch-size 1"),
    Program("image-classification/benchmark_score.py", "--network mobilenet --batch-size 1"),
    Program("image-classification/benchmark_score.py", "--network densenet121 --batch-size 1"),
    Program("image-classification/benchmark_score.py", "--network squeezenet1.1 --batch-size 1"),
    Program("image-classification/benchmark_score.py", "--network vgg-16 --batch-size 1"),
    Program("image-classification/train_mnist.py", "--num-epochs 1", ("mnist",)),
    Program(
        "image-classification/train_mnist.py", "--num-epochs 1 --network lenet --add_stn --num-examples 256", ("mnist",)
    ),
    Program(
        "image-classification/train_mnist.py", "--num-epochs 2 --monitor 20 --model-prefix m --top-k 3", ("mnist",)
    ),
    Program(
        "image-classification/train_cifar10.py",
        "--num-epochs 1 --num-layers 8 --batch-size 16 --num-examples 300"
        " --data-train data/cifar/train.rec --data-val data/cifar/test.rec",
        ("cifar10",),
    ),
    Program(
        "image-classification/train_imagenet.py",
        "--num-epochs 1 --benchmark 1 --batch-size 2 --num-examples 8 --network mobilenet --image-shape 3,224,224",
    ),
    Program(
        "image-classification/train_imagenet.py",
        "--num-epochs 1 --batch-size 4 --num-examples 64 --network resnet --num-layers 18 --num-classes 4"
        " --data-train train.rec --data-val val.rec --image-shape 3,64,64 --random-crop 1 --random-mirror 1",
        ("records",),
    ),
    Program(
        "image-classification/fine-tune.py",
        "--pretrained-model imagenet1k-resnet-18 --num-epochs 1 --batch-size 4 --num-examples 16 --num-classes 4"
        " --data-train train.rec --data-val val.rec",
        ("pretrained",),
    ),
    Program(
        "image-classification/score.py",
        "--model imagenet1k-resnet-18 --gpus '' --batch-size 4 --data-val val.rec",
        ("pretrained",),
    ),
    Program("kaggle-ndsb1/train_dsb.py", "--num-epochs 1"),
    Program("kaggle-ndsb1/predict_dsb.py"),
    Program("kaggle-ndsb2/Train.py", "", ("hearts",)),
    Program("model-parallel/matrix_factorization/train.py", "--num-gpus 0", ("movielens",)),
    Program("module/mnist_mlp.py", "", ("mnist",)),
    Program("module/sequential_module.py", "", ("mnist",)),
    Program("module/python_loss.py", "", ("mnist",)),
    Program("multi-task/multi-task-learning.ipynb", "", ("mnist_home",)),
    Program("multi_threaded_inference/get_model.py", "--model imagenet1k-inception-bn"),
    Program("multivariate_time_series/src/lstnet.py", "--num-epochs 1", ("electricity",)),
    Program("named_entity_recognition/src/preprocess.py", "", ("named_entities",)),
    Program("named_entity_recognition/src/ner.py", "--num-epochs 1 --batch-size 4", ("named_entities",)),
    Program("nce-loss/toy_nce.py"),
    Program("nce-loss/toy_softmax.py"),
    Program("nce-loss/wordvec.py", "", ("text8",)),
    Program("nce-loss/wordvec_subwords.py", "", ("text8",)),
    Program("nce-loss/lstm_word.py", "", ("text8",)),
    Program("neural-style/neuralart.ipynb", "", ("paintings",)),
    Program(
        "neural-style/nstyle.py",
        "--gpu -1 --content-image input/a.jpg --style-image input/b.jpg --max-num-epochs 3 --max-long-edge 64",
        ("paintings",),
    ),
    Program("neural-style/end_to_end/basic.py"),
    Program("neural-style/end_to_end/boost_train.py"),
    Program("neural_collaborative_filtering/train.py", "--epoch 1 --workers 0 --batch-size 256", ("movielens",)),
    Program(
        "neural_collaborative_filtering/model_optimizer.py",
        "--model-prefix model/ml-20m/neumf --epoch 0",
        after="neural_collaborative_filtering/train.py",
    ),
    Program(
        "neural_collaborative_filtering/ncf.py",
        "--prefix model/ml-20m/neumf --epoch 0 --batch-size 20",
        after="neural_collaborative_filtering/train.py",
    ),
    Program("numpy-ops/custom_softmax.py", "", ("mnist",)),
    Program("numpy-ops/custom_sparse_sqr.py"),
    Program("numpy-ops/weighted_logistic_regression.py"),
    Program("profiler/profiler_ndarray.py"),
    Program("profiler/profiler_matmul.py", "--iter_num 2 --begin_profiling_iter 0 --end_profiling_iter 1"),
    Program("profiler/profiler_imageiter.py", "", ("records_many",)),
    Program("profiler/profiler_executor.py", "", ("mnist",)),
    Program(
        "rcnn/train.py",
        "--network resnet50 --epochs 1 --img-short-side 96 --img-long-side 128 --rcnn-batch-rois 16"
        " --rpn-anchor-scales (2,4) --rpn-pre-nms-topk 100 --rpn-post-nms-topk 40",
        ("pascal",),
    ),
    Program(
        "rcnn/test.py",
        "--network resnet50 --params model/resnet-50-0000.params --img-short-side 96 --img-long-side 128"
        " --rpn-anchor-scales (2,4) --rpn-pre-nms-topk 100 --rpn-post-nms-topk 20",
        ("pascal",),
    ),
    Program(
        "rcnn/demo.py",
        "--network resnet50 --params model/resnet-50-0000.params --img-short-side 96 --img-long-side 128"
        " --rpn-anchor-scales (2,4) --rpn-pre-nms-topk 100 --rpn-post-nms-topk 20 --vis --vis-thresh 0"
        " --image data/VOCdevkit/VOC2007/JPEGImages/t00000.jpg",
        ("pascal",),
    ),
    Program("recommenders/demo1-MF.ipynb", "", ("movielens_100k",)),
    Program("recommenders/demo2-dssm.ipynb"),
    Program("reinforcement-learning/a3c/a3c.py", "--num-epochs 1 --num-examples 1000 --batch-size 4", ("game",)),
    Program(
        "reinforcement-learning/parallel_actor_critic/train.py",
        "--env-type CartPole-v0 --num-episodes 3 --num-envs 4",
        ("game",),
    ),
    Program(
        "reinforcement-learning/parallel_actor_critic/train.py", "--num-episodes 1 --num-envs 2 --t-max 10", ("game",)
    ),
    Program("reinforcement-learning/dqn/dqn_demo.py"),
    Program("reinforcement-learning/ddpg/run.py"),
    Program("restricted-boltzmann-machine/binary_rbm_gluon.py", "--num-epoch 1 --no-cuda --k 2", ("mnist_home",)),
    Program("restricted-boltzmann-machine/binary_rbm_module.py", "--num-epoch 1 --no-cuda --k 2", ("mnist",)),
    Program("rnn/bucketing/lstm_bucketing.py", "--num-epochs 1", ("sherlock",)),
    Program("rnn/bucketing/cudnn_rnn_bucketing.py", "--num-epochs 1", ("sherlock",)),
    Program("rnn/bucketing/cudnn_rnn_bucketing.py", "--num-epochs 1 --bidirectional --rnntype gru", ("sherlock",)),
    Program("rnn/large_word_lm/train.py"),
    Program("rnn/old/char-rnn.ipynb"),
    Program("rnn/old/lstm_bucketing.py", "", ("sherlock",)),
    Program("rnn/old/gru_bucketing.py", "", ("sherlock",)),
    Program("rnn/old/rnn_cell_demo.py", "", ("sherlock",)),
    Program("rnn/word_lm/train.py", "--epochs 1 --nhid 20 --emsize 20", ("sherlock",)),
    Program(
        "sparse/factorization_machine/train.py",
        "--data-train data/avazu-app --data-test data/avazu-app.t --batch-size 100 --input-size 1000",
        ("libsvm",),
    ),
    Program("sparse/linear_classification/train.py", "--num-epoch 1 --batch-size 100", ("libsvm",)),
    Program("sparse/linear_classification/train.py", "--num-epoch 1 --batch-size 100 --kvstore local", ("libsvm",)),
    Program("sparse/linear_classification/train.py", "--num-epoch 1 --batch-size 100 --optimizer adagrad", ("libsvm",)),
    Program("sparse/linear_classification/train.py", "--num-epoch 1 --batch-size 100 --optimizer adam", ("libsvm",)),
    Program("sparse/matrix_factorization/train.py", "--num-epoch 1", ("movielens",)),
    Program("sparse/matrix_factorization/train.py", "--num-epoch 1 --dense", ("movielens",)),
    Program("sparse/wide_deep/train.py", "--num-epoch 1", ("adult",)),
    Program("sparse/wide_deep/inference.py", "--num-infer-batch 3", after="sparse/wide_deep/train.py"),
    Program("speech_recognition/main.py", "--configfile default.cfg"),
    Program("ssd/benchmark_score.py", "--network vgg16_reduced -b 1"),
    Program(
        "ssd/train.py",
        "--train-path data/train.rec --val-path data/val.rec --network resnet50 --batch-size 2"
        " --num-class 3 --class-names a,b,c --gpus '' --end-epoch 1 --num-example 8 --pretrained ''",
        ("boxes",),
    ),
    Program("ssd/deploy.py", "--network resnet50 --epoch 1 --num-class 3", after="ssd/train.py"),
    Program(
        "ssd/demo.py",
        "--cpu --images input/a.jpg --epoch 1 --class-names a,b,c --data-shape 300 --thresh 0",
        ("picture",),
        after="ssd/train.py",
    ),
    Program(
        "ssd/evaluate.py",
        "--cpu --network resnet50 --epoch 1 --num-class 3 --class-names a,b,c --batch-size 2 --num-batch 2",
        after="ssd/train.py",
    ),
    Program("ssd/tools/visualize_net.py", "--network vgg16_reduced"),
    Program("stochastic-depth/sd_mnist.py", "", ("mnist",)),
    Program("stochastic-depth/sd_cifar10.py", "", ("cifar10",)),
    Program("svm_mnist/svm_mnist.py", "", ("mnist_whole",)),
    Program("svrg_module/api_usage_example/example_api_train.py", "-e 4"),
    Program("svrg_module/api_usage_example/example_inference.py", "-e 4"),
    Program("svrg_module/benchmarks/svrg_benchmark.ipynb", "", ("libsvm",), where="../linear_regression"),
    Program("svrg_module/linear_regression/train.py", "-e 4", ("libsvm",)),
    Program("vae-gan/convert_data.py", "--dataset shapes.mat --save_path data", ("silhouettes",)),
    Program(
        "vae-gan/vaegan_mxnet.py",
        "--train --use_cpu --num_epoch 1 --batch_size 8 --nef 8 --ndf 8 --ngf 8 --training_data_path data/pictures"
        " --show_after_every 2",
        ("silhouettes",),
    ),
    Program(
        "vae-gan/vaegan_mxnet.py",
        "--test --use_cpu --nef 8 --ngf 8 --testing_data_path data/test"
        " --pretrained_encoder_path checkpoints32x32_sigmoid/caltech_E-0000.params"
        " --pretrained_generator_path checkpoints32x32_sigmoid/caltech_G-0000.params",
        ("silhouettes",),
        after="vae-gan/vaegan_mxnet.py",
    ),
)


class Examples(Description):
    """The examples: which are run, and how."""

    summary = "Run MXNet's example programs after as_mxnet(), and print which of them run."
    clones = "a clone of apache/mxnet that has tag 1.9.1"
    names = "how the paths of programs begin; all of them if none is named"
    limits = {"--seconds": (60, "after how long a program is stopped")}  # noqa: RUF012 - a constant

    def items(self) -> Iterator[str]:
        (version,) = self.clone.held([MXNET])
        kinds = (".py", ".ipynb", ".cfg", ".csv", ".json", ".txt", ".sh", "/resources")
        wanted = [path for path in self.clone.files(version.commit, "example") if path.endswith(kinds)]
        self.clone.unpack(version.commit, wanted, self.folder)
        self._told = told_names(page("example_programs.md").read_text("utf-8"))
        self._programs = {f"{program.path} {program.arguments}".strip(): program for program in PROGRAMS}
        for line in self._programs:
            if not self.asked.names or line.startswith(tuple(self.asked.names)):
                yield line

    def run(self, name: str) -> Report:
        program = self._programs[name]
        before = [other for other in PROGRAMS if other.path == program.after][:1]
        top = program.path.split("/")[0]
        folder = self.folder / str(list(self._programs).index(name))
        shutil.copytree(self.folder / "example" / top, folder / top)
        outcome, log = "failed", ""
        for step in (*before, program):
            outcome, log = self._start(step, folder)
            if outcome == "failed":
                break
        if outcome != "failed":
            return Report(outcome)
        unexplained = () if any(name.startswith(told) for told in self._told) else (name,)
        log_to_print = log[-3000:] if self.asked.names else ""
        return Report(outcome, process.last_line(log), unexplained=unexplained, log=log_to_print)

    def _start(self, program: Program, folder: Path) -> tuple[str, str]:
        """Run one program in a copy of its folder, and return how it ended and what it wrote."""
        file = folder / program.path
        where = (file.parent / program.where).resolve()
        for recipe in program.data:
            RECIPES[recipe](where)
        status, log = process.start(
            "program", {"program": str(file), "arguments": shlex.split(program.arguments)}, folder, where,
            process.environment(where, PYTHONPATH=os.environ.get("PROGRAMS_PATH", "")), self.asked.seconds,
            self.python, self.with_mxnet,
        )  # fmt: skip
        return "stopped" if status is None else "failed" if status else "to its end", log

    def finish(self) -> list[str]:
        return []


DESCRIPTION = Examples
