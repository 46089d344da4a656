"""Places and points, in numbers and as panels."""
