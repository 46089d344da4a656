"""The teacher's account. Students never have one."""

from django.contrib.auth.models import AbstractUser


class User(AbstractUser):
    """A teacher. Our own from the first migration, so that fields can be added later."""
