"""Chance that nobody can foresee."""

from random import SystemRandom

system_rng = SystemRandom()
