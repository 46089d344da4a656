"""A finished round judged: its bid, its plays, its mistakes, and the bots' reasoning."""
