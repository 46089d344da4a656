"""A class at its tables: coming in, seats, steering, and the pictures of it."""
