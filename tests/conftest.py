"""Options of the whole test run."""

import os

import pytest
from hypothesis import HealthCheck, settings

# Machines are noisy: how long an example takes is never a reason to fail.
settings.register_profile("tests", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("soak", settings.get_profile("tests"), max_examples=2000)
settings.load_profile("soak" if os.environ.get("XACTIKA_SOAK") == "1" else "tests")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--regenerate",
        action="store_true",
        help="rewrite the golden files under tests/playthroughs",
    )
