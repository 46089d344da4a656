"""What is learnt from tables: odds, forecasts, the look back, bots' thoughts."""
