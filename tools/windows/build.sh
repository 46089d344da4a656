#!/usr/bin/env bash
# Windows' own Python 3.11 on Linux, with all that the game needs, in a folder of its own; the
# wheel in dist/ is installed in it. Again only where a lock or one of these files has changed.
#   tools/windows/build.sh FOLDER      then: tools/windows/run.sh FOLDER -m pytest tests/rules
# Python's DLLs are those that Panda3D carries in its wheel for Windows, the standard library is
# this computer's own 3.11. It runs by Wine, which lacks what numpy asks of complex numbers, and
# where Rust gets its random bytes: they come from shim.c and prng.c.
set -euo pipefail
shopt -s nullglob
here=$(dirname "$(realpath "$0")")
. "$here/site.sh"
folder=$(realpath -m "$1")
python=$folder/python
venv=$root/.venv/bin
panda=panda3d-1.10.16-cp311-cp311-win_amd64.whl
digest=37acfb92655c4226879f95c988e2ef1449a53c54486d6c1ebc00e2772429af82

for program in x86_64-w64-mingw32-gcc unzip; do
  command -v $program >/dev/null || { echo "missing: $program (gcc-mingw-w64-x86-64-win32, unzip)" >&2; exit 1; }
done

stamp=$(cat "$root"/requirements*.lock "$here"/* | sha256sum | cut -c 1-16)
if [ "$(cat "$folder/stamp" 2>/dev/null)" != "$stamp" ]; then
  rm -rf "$python"
  mkdir -p "$python/DLLs" "$python/Lib" "$python/Scripts" "$folder/panda"
  [ -f "$folder/$panda" ] || "$venv/python" -m pip download --quiet --disable-pip-version-check --no-deps \
    --platform win_amd64 --python-version 3.11 --only-binary=:all: --dest "$folder" panda3d==1.10.16
  echo "$digest  $folder/$panda" | sha256sum --quiet --check
  unzip -q -o "$folder/$panda" 'deploy_libs/*' -d "$folder/panda"
  cp "$folder"/panda/deploy_libs/{python311,sqlite3,libcrypto-3,libffi-8,libssl-3,VCRUNTIME140}.dll "$python"
  cp "$folder"/panda/deploy_libs/{sqlite3,libcrypto-3,libffi-8,libssl-3}.dll "$folder"/panda/deploy_libs/*.pyd "$python/DLLs"
  library=$(python3.11 -c 'import sysconfig; print(sysconfig.get_path("stdlib"))')
  tar -C "$library" -cf - --exclude=site-packages --exclude=test --exclude=tests --exclude=__pycache__ \
    --exclude=lib-dynload --exclude='config-*' --exclude=idlelib --exclude=tkinter . | tar -C "$python/Lib" -xf -
  x86_64-w64-mingw32-gcc -municode "$here/main.c" -o "$python/python.exe"
  # What is made for every Python 3 asks a DLL of that name, which hands it on.
  x86_64-w64-mingw32-objdump -p "$python/python311.dll" |
    sed -n 's/^\t\[ *[0-9]*\] \([A-Za-z_][A-Za-z0-9_]*\)$/  \1 = python311.\1/p' |
    cat <(printf 'LIBRARY python3.dll\nEXPORTS\n') - > "$folder/python3.def"
  x86_64-w64-mingw32-gcc -shared -o "$python/python3.dll" -x c /dev/null -x none "$folder/python3.def"
  install_locked "$python" -r "$root/requirements.lock" -r "$root/requirements-dev.lock"
  x86_64-w64-mingw32-gcc -shared -static-libgcc -o "$python/$math" "$here/shim.c" "$here/math.def"
  x86_64-w64-mingw32-gcc -shared -static-libgcc -o "$python/$random" "$here/prng.c" -ladvapi32
  echo "$stamp" > "$folder/stamp"
fi

install_wheel "$python"
