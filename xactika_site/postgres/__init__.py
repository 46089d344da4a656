"""Django's PostgreSQL, except that nobody waits for one that is known to be gone."""
