"""The course: its notebooks, its exercises with their checks, and the marking of submissions."""
