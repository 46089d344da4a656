"""Sockets: who is connected, and what keeps tables going."""
