"""Hostile files: honest ones are damaged, and worse; each is read, or refused with an MXNetError.

``make hostile`` tries thousands and prints what became of them; ``test_readers.py`` tries a few hundred.

=================  ==============================================================================
``mutations``      what is done to a file: bits, lengths, numbers, nesting, kinds of values
``readers``        the honest files, and how each is read
``worker``         a process with little memory that reads many of them
``__main__``       the table
=================  ==============================================================================
"""
