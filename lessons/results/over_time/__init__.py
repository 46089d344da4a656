"""A classroom's term, in numbers and as panels."""
