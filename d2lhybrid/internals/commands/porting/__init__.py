"""The command ``d2lhybrid port``: what becomes of a folder of programs of MXNet's days, told without running them."""
