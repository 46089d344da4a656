"""Homework: given out to a class until a day, done by each student alone."""
