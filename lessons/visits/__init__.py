"""Lessons held: one person's way through a lesson, and a room's."""
