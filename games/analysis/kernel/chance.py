"""The kernel's own generator (splitmix64): 64 bits of state, the same on every machine."""

import numpy as np

from games.analysis.kernel.jit import Seed, inner

_STEP = np.uint64(0x9E3779B97F4A7C15)
_MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX_2 = np.uint64(0x94D049BB133111EB)
_S11, _S27, _S30, _S31, _S32 = (np.uint64(n) for n in (11, 27, 30, 31, 32))
_UNIT = 1.0 / 9007199254740992.0  # 2**-53


@inner
def next_bits(seed: Seed) -> np.uint64:
    """The next 64 bits."""
    seed[0] += _STEP
    bits = seed[0]
    bits = (bits ^ (bits >> _S30)) * _MIX_1
    bits = (bits ^ (bits >> _S27)) * _MIX_2
    return bits ^ (bits >> _S31)


@inner
def random_below(seed: Seed, n: int) -> int:
    """A whole number from 0 to n−1; for the few dozen that occur here the bias is < 2⁻²⁵."""
    return np.int64(((next_bits(seed) >> _S32) * np.uint64(n)) >> _S32)  # type: ignore[return-value]


@inner
def uniform(seed: Seed) -> float:
    """A number in [0, 1)."""
    return np.float64(next_bits(seed) >> _S11) * _UNIT


@inner
def fork(seed: Seed, number: int) -> None:
    """Make ``seed`` the start of the stream with this number."""
    seed[0] = (seed[0] ^ np.uint64(number)) * _MIX_1
    seed[0] = next_bits(seed)
