"""Fixtures of the tests of accounts."""

import pytest
from django.contrib.contenttypes.models import ContentType

from tests.accounts.people import no_wrong_tries  # noqa: F401 (autouse)
from tests.games.conftest import plain_static_files  # noqa: F401 (autouse)


@pytest.fixture(autouse=True)
def the_row_that_is_locked(request: pytest.FixtureRequest) -> None:
    """Migrations leave it; a test that commits takes it away, and whoever signs up first
    locks it."""
    if request.node.get_closest_marker("django_db"):
        request.getfixturevalue("db")
        ContentType.objects.get_or_create(app_label="accounts", model="user")
