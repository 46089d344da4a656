"""The demo class, with all that it has played and answered."""
