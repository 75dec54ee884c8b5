"""Gradients with less variance, of batches and of all data together; ``mx.contrib.svrg_optimization``."""

from . import svrg_module, svrg_optimizer

__all__ = ["svrg_module", "svrg_optimizer"]
