"""Views and forms, a file a room."""
