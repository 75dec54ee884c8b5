"""The exercises: a folder a chapter, and in it a folder an exercise."""
