"""Django's SQLite, except that nobody else on the machine reads its files."""
