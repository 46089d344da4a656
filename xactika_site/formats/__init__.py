"""How days and times are written: days in words, one notation in every language."""
