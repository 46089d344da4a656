"""A puzzle a day: which it is, and its words."""
