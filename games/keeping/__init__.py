"""What is kept for how long, and taken out."""
