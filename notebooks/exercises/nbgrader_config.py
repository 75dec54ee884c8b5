"""nbgrader's configuration for the exercises: `nbgrader generate_assignment --config nbgrader_config.py ...`.

The notebooks hold starters and no solutions, so nbgrader has nothing to clear; its own preprocessor would put
"YOUR CODE HERE" in the place of the starters.
"""

c = get_config()  # noqa: F821  nbgrader provides it
c.GenerateAssignment.preprocessors = [
    "nbgrader.preprocessors.IncludeHeaderFooter",
    "nbgrader.preprocessors.LockCells",
    "nbgrader.preprocessors.ComputeChecksums",
    "nbgrader.preprocessors.SaveCells",
    "nbgrader.preprocessors.ClearOutput",
    "nbgrader.preprocessors.CheckCellMetadata",
]
