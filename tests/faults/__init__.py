"""Faults: whatever is interrupted, killed, forked or run by several threads at any line leaves everything whole.

``make faults`` tries every line and prints what was tried, survived and lost; the tests try a sample.
"""
