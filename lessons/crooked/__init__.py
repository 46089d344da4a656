"""A study of crooked dealers, for a class. No game knows this room: no table is dealt by it."""
