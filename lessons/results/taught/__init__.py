"""Lessons that were held, in numbers and as panels."""
