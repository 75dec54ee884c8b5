"""The command line, the installation, and the check of the installation."""
