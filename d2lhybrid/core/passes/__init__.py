"""Passes: functions from a graph to a graph."""
