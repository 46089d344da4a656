"""Before and after: two forms of twin questions; each half of a class begins with another."""
