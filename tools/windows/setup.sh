#!/usr/bin/env bash
# The setup for Windows, dist/xactika-setup-VERSION.exe, out of what build.sh has made in FOLDER; then
# what a person does with it, by Wine: two presses to a hand (press.py); what IT does: install it in
# silence over that one, play a round (tests/smoke.py), remove it.
#   tools/windows/setup.sh FOLDER
# A release puts the files of python.org's embeddable Python in the place of Panda3D's copies first.
set -euo pipefail
here=$(dirname "$(realpath "$0")")
. "$here/site.sh"
folder=$(realpath "$1")
slim=$folder/slim
version=$(basename "$root"/dist/xactika_classroom-*.whl | cut -d- -f2)
setup=$root/dist/xactika-setup-$version.exe

rm -rf "$slim"
mkdir "$slim"
tar -C "$folder/python" -cf - --exclude=./Lib/site-packages --exclude=__pycache__ . | tar -C "$slim" -xf -
install_locked "$slim" -r "$root/requirements.lock"
install_wheel "$slim"
makensis -V2 -DVERSION="$version" -DOUT="$setup" -DPYTHON="$slim" -DLICENSE="$root/LICENSE" "$here/setup.nsi"
ls -l "$setup"

wine=$(command -v wine64 || ls /usr/lib/wine/wine64)
export WINEPREFIX=$folder/setup-prefix WINEDEBUG=-all PYTHONIOENCODING=utf-8
rm -rf "$WINEPREFIX"
"$root/.venv/bin/python" "$here/press.py" "$wine" "$setup" "$folder"
"$wine" wineboot -k
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
