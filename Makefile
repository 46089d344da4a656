# Two commands: make run, make test. Both need only Python 3.11 to 3.15 and make.
SHELL := /bin/bash
PYTHON ?= python3
BIN := .venv/bin
# One more than processors: tests of real servers and browsers wait much of their time.
WORKERS ?= $(shell $(PYTHON) -c "import os; print((os.cpu_count() or 1) + 1)")

# Tests start hundreds of processes: none shall compile everything anew, whatever the shell says.
unexport PYTHONDONTWRITEBYTECODE

# What we read or write in whatever encoding the system has fails a test (filterwarnings in pyproject.toml).
TESTS := quick unit e2e live packaged floor soak windows release-check
$(TESTS): export PYTHONWARNDEFAULTENCODING := 1
$(TESTS): export PYTHONWARNINGS := ignore::EncodingWarning

.PHONY: setup kernel static run lan test $(TESTS) check style types rooms texts format messages lock wheel clean

setup: .venv/installed kernel

# What running needs.
.venv/installed: requirements.lock
	@$(PYTHON) -c 'import sys; sys.exit(0 if (3, 11) <= sys.version_info < (3, 16) else "Python 3.11 to 3.15 is needed: make PYTHON=python3.12 …")'
	@$(PYTHON) -c 'import ensurepip' 2>/dev/null || { echo "Python cannot make environments here. On Debian and Ubuntu: sudo apt install python3-venv"; exit 1; }
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check uv
	@$(BIN)/uv pip install --quiet --system-certs --python $(BIN)/python --require-hashes -r requirements.lock
	@touch $@

# What testing needs besides: as much again.
.venv/complete: .venv/installed requirements-dev.lock
	@$(BIN)/uv pip install --quiet --system-certs --python $(BIN)/python --require-hashes -r requirements-dev.lock
	@touch $@

# The simulations, compiled (half a minute) into a cache beside their source; again when it changed.
kernel: .venv/installed
	@$(BIN)/python -m games.analysis

static: setup
	@$(BIN)/python manage.py collectstatic --noinput -v0

# The game on this machine, at http://127.0.0.1:8000/ (PORT=… for another port), with a demo
# class in a database of its own (or in the one that DATABASE_URL names).
run: setup
	@exec $(BIN)/python -m xactika_site.command --no-browser

# For the devices in the room, with its address and a QR code to join by. Its database is the
# real one (data/xactika.sqlite3), never that of the demo.
lan: setup
	@exec $(BIN)/python -m xactika_site.command class --no-browser

# The tests, a lane for what they need (docs/testing.md). A newcomer runs `make test`; `make quick` is for work.
test: unit e2e

# The tests nearest to what changed, within 20 seconds; says what it leaves out.
quick: .venv/complete
	@$(BIN)/python -m tests.quick

# Without browsers and other servers. A file's tests share a worker; the long files come first.
unit: setup .venv/complete static
	@$(BIN)/python -m pytest -q -n $(WORKERS) --dist loadfile --no-loadscope-reorder

# In a browser; skipped, in a line of their own, where there is no Chromium. Those of one group (a class of browsers each) never run at the same time.
e2e: setup .venv/complete static
	@$(BIN)/python -m pytest -q -n $(WORKERS) --dist loadgroup -rs tests/e2e --ignore tests/e2e/test_floor.py

# Of real servers: killed, flooded, started twice, two on PostgreSQL and Redis.
live: setup .venv/complete static
	@$(BIN)/python -m pytest -q -n $(WORKERS) --dist loadfile --no-loadscope-reorder tests/live --ignore tests/live/test_wheel.py

# The wheel, installed as a teacher installs it, and what an upgrade keeps.
packaged: setup .venv/complete wheel
	@$(BIN)/python -m pytest -q tests/live/test_wheel.py

# By Windows' own Python under Wine (docs/windows.md): the wheel, installed and started for the first time, then
# what meets the system: pages, browsers and lessons do not.
WINDOWS := tools/windows/run.sh .windows
ON_WINDOWS ?= $(addprefix tests/,rules analysis accounts classrooms site games/tables games/classes games/live \
  games/keeping games/study live/test_class.py)
NOT_ON_WINDOWS := --ignore tests/site/test_quick.py \
  --deselect tests/analysis/test_arena.py::test_the_seed_decides_and_the_processes_do_not \
  --deselect tests/analysis/test_players.py::test_the_same_weights_are_learnt_again
windows: setup .venv/complete static wheel
	@tools/windows/build.sh .windows
	@rm -rf .windows/prefix/drive_c/users/*/AppData/Local/xactika
	@$(WINDOWS) tests/smoke.py
	@NUMBA_CACHE_DIR=Z:$(CURDIR)/.windows/kernel $(WINDOWS) -m pytest -q -p no:cacheprovider -p no:unraisableexception \
	  --create-db --reuse-db -n 2 --dist loadfile $(ON_WINDOWS) $(NOT_ON_WINDOWS)

# Before a release, as root: all that, the setup for Windows, installed, played and removed, and the container.
release-check: windows
	@tools/windows/setup.sh .windows
	@container/try.sh

# The walk in the oldest browsers of the classroom, where they are (docs/browsers.md).
floor: setup .venv/complete static
	@$(BIN)/python -m pytest -q -n 2 --dist loadgroup -rs tests/e2e/test_floor.py

# Two parts at a time with make -j2, as continuous integration does: most have one process.
check: setup style types rooms texts

style: .venv/complete
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@git ls-files 'templates/*.html' | grep -v '^templates/games/table/' | xargs $(BIN)/djade --check --target-version 5.2

types: .venv/complete
	@$(BIN)/mypy

rooms: .venv/complete
	@$(BIN)/lint-imports

texts: .venv/complete
	@$(BIN)/python manage.py makemigrations --check --dry-run -v0
	@$(BIN)/python manage.py check_lessons
	@$(BIN)/python manage.py messages --check
	@DJANGO_SETTINGS_MODULE=xactika_site.settings $(BIN)/python -m tests.site.reading
	@$(BIN)/python -m pytest -q -p no:cacheprovider tests/site/test_messages.py tests/site/test_templates.py tests/site/test_floor.py

# The long checks: many more kills, games and shapes of input.
soak: setup .venv/complete static wheel
	@XACTIKA_SOAK=1 $(BIN)/python -m pytest -q -n $(WORKERS) --timeout 7200
	@XACTIKA_SOAK=1 $(BIN)/python -m pytest -q -n $(WORKERS) --timeout 7200 tests/live
	@PYTHONPATH=tests/without XACTIKA_WITHOUT=numba,llvmlite $(BIN)/python -m pytest -q -n $(WORKERS) --dist loadfile

format: .venv/complete
	@$(BIN)/ruff check --fix .
	@$(BIN)/ruff format .
	@git ls-files 'templates/*.html' | grep -v '^templates/games/table/' | xargs $(BIN)/djade --target-version 5.2

# After a change of texts: what translators have to say (locale/, docs/languages.md).
messages: .venv/complete
	@$(BIN)/python manage.py messages

# After a change of pyproject.toml's dependencies.
LOCK := $(BIN)/uv pip compile --quiet --system-certs --universal --generate-hashes --no-header --python-version 3.11
lock: setup
	@$(LOCK) --extra server pyproject.toml -o requirements.lock
	@$(LOCK) --extra server --extra dev -c requirements.lock pyproject.toml -o requirements-dev.lock

# What a teacher installs: dist/xactika_classroom-….whl.
wheel: .venv/complete
	@$(BIN)/python -m hatchling build -t wheel >/dev/null 2>&1 || $(BIN)/python -m hatchling build -t wheel

clean:
	rm -rf .venv staticfiles dist games/analysis/__pycache__ .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
