"""The command line, the installation, and the report on the installation."""
