"""Measures: what a page of results shows, said once (docs/results.md). A function gives rows
and facts; a page of words says what they are called, how they are drawn, what follows."""
