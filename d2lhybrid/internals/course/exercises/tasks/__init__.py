"""The exercises: a folder for each chapter, with a folder for each exercise."""
