"""Small programs after public reports of wrong results, and at the edges of indexing, with MXNet's recorded answers."""
