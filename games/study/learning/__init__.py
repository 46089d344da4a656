"""Learning by playing: chapters as files, their tasks, their pictures."""
