"""Hands and leads beside exact theory, in numbers and as panels."""
