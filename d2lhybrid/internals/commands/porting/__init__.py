"""The command ``d2lhybrid port``: which programs in a folder of old MXNet code will run, found without running them."""
