"""One student: the page, the class beside it, what they are called."""
