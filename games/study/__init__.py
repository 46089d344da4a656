"""What is learnt from tables, by feature: odds, look back, replay, chapters, puzzles."""
