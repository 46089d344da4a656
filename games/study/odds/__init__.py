"""What a seat could foresee at a turn, simulated, and how it reads its odds."""
