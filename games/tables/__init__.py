"""One table: its state, who may see what of it, its moves, its pictures."""
