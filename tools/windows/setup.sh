#!/usr/bin/env bash
# The setup for Windows, dist/xactika-setup-VERSION.exe, out of what build.sh has made in FOLDER; then
# what a person does with it, by Wine: install it, start it, play a round (tests/smoke.py), remove it.
#   tools/windows/setup.sh FOLDER
# A release puts the files of python.org's embeddable Python in the place of Panda3D's copies first.
set -euo pipefail
here=$(dirname "$(realpath "$0")")
root=$(realpath "$here/../..")
folder=$(realpath "$1")
slim=$folder/slim
wheel=$(ls "$root"/dist/xactika_classroom-*.whl)
version=$(basename "$wheel" | cut -d- -f2)
setup=$root/dist/xactika-setup-$version.exe

rm -rf "$slim"
mkdir "$slim"
tar -C "$folder/python" -cf - --exclude=./Lib/site-packages --exclude=__pycache__ . | tar -C "$slim" -xf -
mkdir "$slim/Lib/site-packages"
"$root/.venv/bin/uv" pip install --quiet --system-certs --link-mode copy --target "$slim/Lib/site-packages" \
  --python-platform x86_64-pc-windows-msvc --python-version 3.11 --require-hashes -r "$root/requirements.lock"
"$root/.venv/bin/uv" pip install --quiet --link-mode copy --no-deps --target "$slim/Lib/site-packages" \
  --python-platform x86_64-pc-windows-msvc --python-version 3.11 "$wheel"
math=xct-ms-win-crt-math-l1-1-0.dll
grep -rlZ --include='*.pyd' "api${math#xct}" "$slim/Lib/site-packages/numpy" | xargs -0 sed -i "s/api${math#xct}/$math/g"
"$root/.venv/bin/python" "$here/launcher.py" "$slim"
makensis -V2 -DVERSION="$version" -DOUT="$setup" -DPYTHON="$slim" "$here/setup.nsi"
ls -l "$setup"

wine=$(command -v wine64 || ls /usr/lib/wine/wine64)
export WINEPREFIX=$folder/setup-prefix WINEDEBUG=-all PYTHONIOENCODING=utf-8
rm -rf "$WINEPREFIX"
"$wine" "$setup" /S
there=$(ls -d "$WINEPREFIX"/drive_c/users/*/AppData/Local/Programs/Xactika)
start=$(ls "$WINEPREFIX"/drive_c/users/*/AppData/Roaming/Microsoft/Windows/"Start Menu"/Programs/Xactika.lnk)
strings -el "$start" | grep -q '^class$'
set +e +o pipefail
yes '' 2>/dev/null | "$wine" "$there/python.exe" "$root/tests/smoke.py" 2>&1 | cat
[ "${PIPESTATUS[1]}" = 0 ] || exit 1
set -e
data=$(ls -d "$WINEPREFIX"/drive_c/users/*/AppData/Local/xactika)
"$wine" "$there/uninstall.exe" /S
for _ in $(seq 60); do [ -e "$there/python.exe" ] || break; sleep 1; done
[ ! -e "$there/python.exe" ] || { echo "the program is still there" >&2; exit 1; }
[ -f "$data/demo.sqlite3" ] || { echo "the data is gone" >&2; exit 1; }
echo "installed, played, removed; the data is left"
