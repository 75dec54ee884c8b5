"""The public surface: every name of MXNet 1.9.1 is here, or a table says why it is not and what to use instead.

``make surface`` counts, and writes the table into ``docs/compatibility.md``; ``test_surface.py`` keeps it true.
"""
