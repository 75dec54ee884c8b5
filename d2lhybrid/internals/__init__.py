"""What is inside of MXNet's names: the machine, its operators, its compiler, its pictures, the course.

``README.md`` beside this file says what is in which folder. What programs and notebooks import is one folder up.
"""
