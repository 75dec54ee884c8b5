"""The command line, installing, and looking whether all is well."""
