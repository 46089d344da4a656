"""Settings, all of them from the environment; what is unset means the embedded, safe default.

README.md lists the variables. A value that cannot work ends the start with one line.
"""

from __future__ import annotations

import os
import re
import secrets
from contextlib import suppress
from datetime import timedelta
from importlib.util import find_spec
from pathlib import Path
from typing import NoReturn

import dj_database_url

from xactika_site import locations
from xactika_site.locations import gettext_noop as _
from xactika_site.restored import put_in_place_if_left

DATA_DIR = locations.data_folder()
SHORTEST_KEY = 32
_no_address = _("expected an address like %(example)s")
_no_address_but = _("expected an address like %(example)s, got %(value)r")
_database_urls = "sqlite:///path, postgres://user:password@host/name"
_none_of = _("expected one of %(known)s, got %(value)r")
_not_writable = _("%(folder)s cannot be written to: %(why)s")
HOST = r"[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?|\[[0-9A-Fa-f:.]+\]"


def refuse(name: str, why: str, /, **values: object) -> NoReturn:
    """End the start with one clear line about an environment variable."""
    raise SystemExit(name + locations.translated(": ") + locations.translated(why) % values)


def must_have(name: str, *modules: str, extra: str = "server") -> None:
    """End the start if what a variable asks for is not installed: a laptop does without."""
    if missing := [module for module in modules if find_spec(module) is None]:
        refuse(
            name,
            _("needs %(modules)s: install “xactika-classroom[%(extra)s]” instead"),
            modules=", ".join(missing),
            extra=extra,
        )


def flag(name: str) -> bool:
    """Whether a variable is on: 1, true, yes, on; or 0, false, no, off, empty, unset."""
    value = os.environ.get(name, "").strip().lower()
    if value in {"1", "true", "yes", "on"}:
        return True
    if value in {"", "0", "false", "no", "off"}:
        return False
    refuse(name, _none_of, known="1, 0", value=value)


def whole_number(name: str, default: int, *, low: int, high: int) -> int:
    """The whole number, from low to high, that a variable of the environment holds."""
    value = os.environ.get(name, "").strip() or str(default)
    if not (value.isascii() and value.isdigit() and low <= int(value) <= high):
        refuse(
            name,
            _("expected a whole number from %(low)d to %(high)d, got %(value)r"),
            low=low,
            high=high,
            value=value,
        )
    return int(value)


def secret_key() -> str:
    """The secret key: XACTIKA_SECRET_KEY, or what XACTIKA_SECRET_KEY_FILE holds, or one made
    once and kept in a file that only its owner reads."""
    key = os.environ.get("XACTIKA_SECRET_KEY", "").strip()
    if not key and (named := os.environ.get("XACTIKA_SECRET_KEY_FILE", "").strip()):
        try:
            key = Path(named).read_text(encoding="utf-8").strip()
        except OSError as why:
            refuse(
                "XACTIKA_SECRET_KEY_FILE",
                _("%(file)s cannot be used: %(why)s"),
                file=named,
                why=why.strerror,
            )
    if key:
        if len(key) < SHORTEST_KEY or len(set(key)) < 5:
            refuse(
                "XACTIKA_SECRET_KEY",
                _("at least %(number)d letters that nobody guesses"),
                number=SHORTEST_KEY,
            )
        return key
    path = DATA_DIR / "secret_key"
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with suppress(FileExistsError):
            file = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
            os.write(file, secrets.token_urlsafe(50).encode())
            os.close(file)
        key = path.read_text(encoding="utf-8").strip()
    except OSError as why:
        refuse("XACTIKA_DATA", _not_writable, folder=path.parent, why=why.strerror)
    if not key:
        refuse(
            "XACTIKA_SECRET_KEY",
            _("unset, and %(file)s is empty: delete it and start again"),
            file=path,
        )
    return key


def metrics() -> str:
    """XACTIKA_METRICS: nothing, ``local``, or a token that nobody guesses."""
    value = os.environ.get("XACTIKA_METRICS", "").strip()
    if value and value != "local" and not re.fullmatch(rf"[!-~]{{{SHORTEST_KEY},200}}", value):
        refuse(
            "XACTIKA_METRICS",
            _("expected local, or a token of at least %(number)d letters without spaces"),
            number=SHORTEST_KEY,
        )
    return value


def database() -> dict[str, object]:
    """DATABASE_URL, or a SQLite file in the data folder."""
    url = os.environ.get("DATABASE_URL", "").strip() or locations.sqlite_url(
        DATA_DIR / "xactika.sqlite3"
    )
    try:
        config = dict(dj_database_url.parse(url))
    except (ValueError, KeyError, dj_database_url.UnknownSchemeError):
        refuse("DATABASE_URL", _no_address, example=_database_urls)
    if config["ENGINE"] == "django.db.backends.sqlite3":
        path = Path(str(config["NAME"]))
        if not path.name or path.name == ":memory:":
            refuse("DATABASE_URL", _no_address, example="sqlite:////srv/xactika/cards.sqlite3")
        try:
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        except OSError as why:
            refuse("DATABASE_URL", _not_writable, folder=path.parent, why=why.strerror)
        config["ENGINE"] = "xactika_site.sqlite"
        # Why these: docs/decisions/0002-storage.md and 0019-pages-on-threads.md.
        config["CONN_MAX_AGE"] = None
        config["OPTIONS"] = {
            "transaction_mode": "IMMEDIATE",
            "timeout": 20,
            "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; "
            "PRAGMA secure_delete=ON;",
        }
        # A file of its own for each test run, so that two of them do not meet.
        # Not by tempfile, which tries to write, and fails every start on a full disk.
        folder = os.environ.get("TMPDIR") or os.environ.get("TEMP") or "/tmp"  # noqa: S108 (tests)
        config["TEST"] = {"NAME": f"{folder}/xactika-test-{os.getpid()}.sqlite3"}
    elif config["ENGINE"] == "django.db.backends.postgresql":
        must_have("DATABASE_URL", "psycopg", "psycopg_pool")
        config["ENGINE"] = "xactika_site.postgres"
        # Of a database that is away people are told soon, and xactika_site.postgres looks for
        # it: the pool need not try by itself, at distances that grow.
        config["OPTIONS"] = {
            "pool": {"min_size": 1, "max_size": 8, "timeout": 4, "reconnect_timeout": 0},
            # A process that stands still in mid-transaction, or whose network does, holds what
            # it has locked no longer than this.
            "options": "-c idle_in_transaction_session_timeout=5s",
            # Of a machine that vanished nobody says so: unanswered for ten seconds, it is gone.
            # Which connections are this process's, for a restore that must be alone.
            "application_name": f"xactika {secrets.token_hex(4)}",
            "connect_timeout": 3,
            "tcp_user_timeout": 10_000,
            "keepalives_idle": 5,
            "keepalives_interval": 2,
            "keepalives_count": 3,
        }
    else:
        refuse("DATABASE_URL", _no_address, example=_database_urls)
    return config


locations.keep_the_kernel_apart()
DATABASES = {"default": database()}
if DATABASES["default"]["ENGINE"] == "xactika_site.sqlite":
    put_in_place_if_left(Path(str(DATABASES["default"]["NAME"])), locations.key_file())
SECRET_KEY = secret_key()
DEBUG = flag("XACTIKA_DEBUG")
PORT = whole_number("PORT", 8000, low=0, high=65535)
RETENTION_DAYS = whole_number("XACTIKA_RETENTION_DAYS", 180, low=1, high=3650)

# Who may read the figures of this process: nobody, this machine, or who has the token.
METRICS = metrics()

# The school's own system: docs/lti.md. Its servers are asked over https and never on private
# networks, unless somebody tries one at home.
LTI, LTI_PRIVATE = flag("XACTIKA_LTI"), flag("XACTIKA_LTI_PRIVATE")
if LTI:
    must_have("XACTIKA_LTI", "pylti1p3", extra="lti")

# Links, QR codes and the Origin of sockets; needed behind a proxy.
BASE_URL = os.environ.get("XACTIKA_BASE_URL", "").strip().rstrip("/").lower()
BASE_URL = re.sub(r"^(http:.*):80$|^(https:.*):443$", r"\1\2", BASE_URL)
_base = re.fullmatch(rf"https?://({HOST})(?::([1-9][0-9]{{0,4}}))?", BASE_URL)
if BASE_URL and (_base is None or int(_base[2] or 80) > 65535):
    refuse("XACTIKA_BASE_URL", _no_address_but, example="https://cards.school", value=BASE_URL)
IS_HTTPS = BASE_URL.startswith("https://")
# Where the room's network finds this machine; serving it sets this.
LAN_URL = ""

ALLOWED_HOSTS = os.environ.get("XACTIKA_ALLOWED_HOSTS", "").replace(",", " ").split()
for host in ALLOWED_HOSTS:
    if not re.fullmatch(rf"\*|\.?{HOST}", host):
        refuse("XACTIKA_ALLOWED_HOSTS", _no_address_but, example="cards.school", value=host)
ALLOWED_HOSTS = ALLOWED_HOSTS or ["127.0.0.1", "localhost", "[::1]"]
if _base is not None:
    ALLOWED_HOSTS.append(_base[1])
    CSRF_TRUSTED_ORIGINS = [BASE_URL]

INSTALLED_APPS = [
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "axes",
    "channels",
    "django_htmx",
    "xactika_site.accounts",
    "xactika_site.classrooms",
    "games",
    "lessons",
    "django.contrib.staticfiles",  # after ours: collectstatic is that of lessons
]
MIDDLEWARE = [
    "xactika_site.security.content_security_policy",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django.middleware.security.SecurityMiddleware",
    # Otherwise xactika_site.static answers before Django is asked.
    *(["servestatic.middleware.ServeStaticMiddleware"] if DEBUG else []),
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "xactika_site.accounts.middleware.own_time_zone",
    "lessons.pages.speaking.Speaking",
    "django_htmx.middleware.HtmxMiddleware",
    "axes.middleware.AxesMiddleware",
    "games.pages.counting.Counting",
]
CSRF_FAILURE_VIEW = "games.pages.device.csrf_failure_page"
ROOT_URLCONF = "xactika_site.urls"
ASGI_APPLICATION = "xactika_site.asgi.application"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

TEMPLATES = [
    {
        "BACKEND": "xactika_site.engine.Templates",
        "NAME": "django",
        "DIRS": [locations.RESOURCES / "templates"],
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "xactika_site.locations.commands",
            ],
            "builtins": ["xactika_site.dates"],
            "loaders": [
                ("django.template.loaders.cached.Loader", ["xactika_site.loaders.Loader"])
            ],
        },
    },
    # The table's fragments are rendered on every move: docs/decisions/0004-jinja-fragments.md.
    {
        "BACKEND": "django.template.backends.jinja2.Jinja2",
        "NAME": "fragments",
        "DIRS": [locations.RESOURCES / "templates" / "games" / "table"],
        "OPTIONS": {
            "environment": "games.tables.rendering.environment",
            "extensions": ["xactika_site.loaders.Breaks"],
            "trim_blocks": True,
            "lstrip_blocks": True,
        },
    },
]

REDIS_URL = os.environ.get("REDIS_URL", "").strip()
_redis = re.fullmatch(
    rf"rediss?://(?:[^@/\s]*@)?(?:{HOST})(?::([1-9][0-9]{{0,4}}))?(?:/[0-9]*)?(?:\?\S*)?"
    r"|unix:/\S+",
    REDIS_URL,
)
if REDIS_URL and (_redis is None or int(_redis[1] or 6379) > 65535):
    refuse("REDIS_URL", _no_address, example="redis://127.0.0.1:6379/0")
# Tried again once and at once: nothing waits long for a Redis that is away.
if REDIS_URL:  # Not imported in vain: it takes longer than all else here.
    must_have("REDIS_URL", "redis", "channels_redis")
    from redis.asyncio.retry import Retry as AsyncRetry
    from redis.backoff import NoBackoff
    from redis.retry import Retry
CHANNEL_LAYERS = {
    "default": {
        "BACKEND": "channels_redis.pubsub.RedisPubSubChannelLayer",
        "CONFIG": {
            "hosts": [
                {
                    "address": REDIS_URL,
                    "socket_timeout": None,
                    "socket_connect_timeout": 2,
                    "retry": AsyncRetry(NoBackoff(), 1),
                    "max_connections": 256,
                }
            ],
            "prefix": "xactika",
        },
    }
    if REDIS_URL
    else {"BACKEND": "channels.layers.InMemoryChannelLayer", "CONFIG": {"capacity": 10_000}}
}

CACHES = {
    "default": {
        "BACKEND": "django.core.cache.backends.redis.RedisCache",
        "LOCATION": REDIS_URL,
        "KEY_PREFIX": "xactika-cache",
        "OPTIONS": {
            "socket_timeout": 2,
            "socket_connect_timeout": 2,
            "retry": Retry(NoBackoff(), 1),
        },
    }
    if REDIS_URL
    else {
        "BACKEND": "django.core.cache.backends.locmem.LocMemCache",
        # Counts of wrong tries must not be pushed out by made-up names.
        "OPTIONS": {"MAX_ENTRIES": 100_000},
    },
    # What every process may work out for itself, with Redis or without.
    "process": {
        "BACKEND": "django.core.cache.backends.locmem.LocMemCache",
        "LOCATION": "process",
    },
}

# Teachers: docs/decisions/0011-teachers-accounts.md.
AUTH_USER_MODEL = "accounts.User"
AUTHENTICATION_BACKENDS = [
    "axes.backends.AxesStandaloneBackend",
    "xactika_site.accounts.desk.Backend",  # the path that sessions store
    "django.contrib.auth.backends.ModelBackend",  # of sign-ins by a link
]
_validation = "django.contrib.auth.password_validation"
AUTH_PASSWORD_VALIDATORS = [
    {
        "NAME": f"{_validation}.UserAttributeSimilarityValidator",
        "OPTIONS": {"user_attributes": ("username", "name")},
    },
    {"NAME": f"{_validation}.MinimumLengthValidator", "OPTIONS": {"min_length": 10}},
    {"NAME": f"{_validation}.CommonPasswordValidator"},
    {"NAME": f"{_validation}.NumericPasswordValidator"},
]
LOGIN_URL, LOGIN_REDIRECT_URL, LOGOUT_REDIRECT_URL = "login", "teach", "login"
PASSWORD_RESET_TIMEOUT = 86400
# Two weeks: a weekly lesson finds its teacher still signed in.
SESSION_COOKIE_AGE = 14 * 86400

# Wrong passwords are counted by user name and address together, in the cache alone: nothing of
# an address is stored, so axes gets no tables either.
AXES_HANDLER = "axes.handlers.cache.AxesCacheHandler"
AXES_LOCKOUT_PARAMETERS = [["username", "ip_address"]]
AXES_USERNAME_CALLABLE = "xactika_site.accounts.sign_in_queue.counted_name"
AXES_CLIENT_IP_CALLABLE = "xactika_site.accounts.sign_in_queue.counted_address"
AXES_FAILURE_LIMIT = 10
AXES_COOLOFF_TIME = timedelta(minutes=10)
AXES_RESET_COOL_OFF_ON_FAILURE_DURING_LOCKOUT = False
AXES_RESET_ON_SUCCESS = True
AXES_LOCKOUT_TEMPLATE = "accounts/locked.html"
AXES_VERBOSE = False
MIGRATION_MODULES = {"axes": None}
# It warns of local memory because several processes would not share it; ours share Redis.
SILENCED_SYSTEM_CHECKS = ["axes.W001"]

STATIC_URL = "static/"
STATIC_ROOT = locations.static_folder()
STORAGES = {
    "staticfiles": {
        "BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"
        if DEBUG
        else "xactika_site.static.Storage"
    }
}
STATICFILES_FINDERS = [
    "django.contrib.staticfiles.finders.AppDirectoriesFinder",
    "lessons.finders.PlotlyFinder",
]
SERVESTATIC_USE_FINDERS = DEBUG

# Those whose catalogue is whole, each by its own name: docs/languages.md.
LANGUAGES = [("en", "English"), ("fr", "Français")]
# What is spoken where neither a class nor a device has said anything.
LANGUAGE_CODE = os.environ.get("XACTIKA_LANGUAGE", "").strip() or "en"
if LANGUAGE_CODE not in dict(LANGUAGES):
    refuse("XACTIKA_LANGUAGE", _none_of, known=", ".join(dict(LANGUAGES)), value=LANGUAGE_CODE)
LANGUAGE_COOKIE_NAME = "language"
LANGUAGE_COOKIE_AGE = 365 * 86400
LANGUAGE_COOKIE_SAMESITE = "Lax"
LANGUAGE_COOKIE_HTTPONLY = True
LANGUAGE_COOKIE_SECURE = IS_HTTPS
LOCALE_PATHS = [locations.RESOURCES / "locale"]
FORMAT_MODULE_PATH = "xactika_site.formats"
TIME_ZONE = "UTC"
USE_TZ = True

SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = IS_HTTPS
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if IS_HTTPS else None
# This name only: what else the school serves under its domain is not ours to decide.
SECURE_HSTS_SECONDS = 365 * 86400 if IS_HTTPS else 0
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
DATA_UPLOAD_MAX_MEMORY_SIZE = 512 * 1024

# One JSON line an event. Nothing about students is logged: no names, tokens, cards, addresses.
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"json": {"()": "xactika_site.logs.JsonLine"}},
    "filters": {
        "one_line": {"()": "xactika_site.health.OneLineAMinute"},
        "rate_limited": {"()": "xactika_site.logs.RateLimited"},
        "no_request": {"()": "xactika_site.security.WithoutRequest"},
    },
    "handlers": {
        "stderr": {
            "class": "logging.StreamHandler",
            "formatter": "json",
            "filters": ["one_line", "rate_limited", "no_request"],
        }
    },
    "root": {"handlers": ["stderr"], "level": "WARNING"},
    "loggers": {
        "django": {"handlers": [], "level": "WARNING", "propagate": True},
        "django.request": {"level": "ERROR"},
        "django.security.DisallowedHost": {"level": "CRITICAL"},
        "django.server": {"handlers": [], "level": "ERROR", "propagate": True},
        "psycopg.pool": {"level": "ERROR"},  # a line a try; health says it once
        "uvicorn": {"level": "WARNING"},
        "channels_redis": {"level": "CRITICAL"},  # a traceback a second; the hub says it once
        "xactika": {"level": "INFO"},
    },
}
