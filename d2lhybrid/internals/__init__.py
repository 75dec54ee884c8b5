"""What is inside of MXNet's names: the machine, its operators, its compiler, its pictures, the course.

``README.md`` beside this file says what is in which folder. Modules whose names are MXNet's, and what programs and
notebooks import, are one folder up.
"""
