"""How the class bid, in numbers and as panels."""
