"""The backend at the path that the sessions of signed-in teachers store."""

from xactika_site.accounts.sign_in_queue import Backend as Backend
