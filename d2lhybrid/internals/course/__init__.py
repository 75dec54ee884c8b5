"""The course: exercises, what judges answers, marks of submissions, and the notebooks themselves."""
