"""What counts as significant, and the quantiles that say how far chance goes. Pure."""

from __future__ import annotations

ALPHA = 0.05
"""The significance level: what chance alone does less often than once in 20 is called rare."""

Z95 = 1.96
"""The 97.5% quantile of the normal distribution: between minus and plus it lie 95 of 100."""

T_QUANTILES = (
    *(12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179),
    *(2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064),
    *(2.060, 2.056, 2.052, 2.048, 2.045, 2.042),
)
"""The 97.5% quantiles of Student's t, by degrees of freedom from 1 on; for more than there are
here the last one, on the safe side."""


def t_quantile(freedom: float) -> float:
    """The 97.5% quantile of Student's t (95% two-sided); ``freedom`` is rounded down."""
    return T_QUANTILES[min(max(int(freedom), 1), len(T_QUANTILES)) - 1]
