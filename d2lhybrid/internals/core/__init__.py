"""The core: operators, the tape, and the compilation of a traced graph to a program."""
