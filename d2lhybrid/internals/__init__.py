"""The implementation behind MXNet's names: core, operators, compiler, pictures, course.

``README.md`` next to this file describes the folders. The modules that programs and notebooks import are in the parent
folder.
"""
