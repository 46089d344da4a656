"""A finished round moment by moment: its positions, its paths, other moves, other tables."""
