"""The command ``d2lhybrid port``, which analyzes a folder of old MXNet programs without running them."""
