"""The implementation behind MXNet's names: core, operators, compiler, pictures, course.

``README.md`` beside this file says what is in which folder. What programs and notebooks import is one folder up.
"""
