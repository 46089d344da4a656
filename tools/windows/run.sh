#!/usr/bin/env bash
# Windows' Python from build.sh's FOLDER, by Wine:  tools/windows/run.sh FOLDER ARGUMENTS…
# Its standard streams have to be pipes: it does not start at the null device.
set -euo pipefail
folder=$(realpath "$1")
shift
wine=$(command -v wine64 || ls /usr/lib/wine/wine64)
export WINEPREFIX=$folder/prefix WINEDEBUG=-all PYTHONIOENCODING=utf-8
set +e +o pipefail
yes '' 2>/dev/null | "$wine" "$folder/python/python.exe" "$@" 2>&1 | cat
exit "${PIPESTATUS[1]}"
