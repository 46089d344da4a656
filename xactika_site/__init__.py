"""The composition root: settings, addresses, the server and the commands that start it."""

__version__ = "0.2.0"
