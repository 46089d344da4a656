"""Fixtures of the tests of classes."""

from __future__ import annotations

import pytest
from django.test import Client

from tests.games.classroom import a_teacher, signed_in


@pytest.fixture
def teacher(db: None) -> Client:
    """The teacher's browser."""
    return signed_in(a_teacher())
