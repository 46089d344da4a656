"""Views, one file a room."""
