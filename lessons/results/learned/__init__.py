"""Answers, mistakes and predictions, in numbers and as panels."""
