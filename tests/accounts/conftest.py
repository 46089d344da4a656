"""Fixtures of the tests of accounts."""

from tests.accounts.people import no_wrong_tries  # noqa: F401 (autouse)
from tests.games.conftest import plain_static_files  # noqa: F401 (autouse)
