"""Statements of programs of MXNet's days, which today's libraries refuse: ``make habits``."""
