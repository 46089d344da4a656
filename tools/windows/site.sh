# For build.sh and setup.sh: what they put into the site-packages of a Windows Python.
#   install_locked PYTHON -r requirements.lock …
root=$(realpath "$(dirname "${BASH_SOURCE[0]}")/../..")
uv=$root/.venv/bin/uv
math=xct-ms-win-crt-math-l1-1-0.dll
random=xcryptprimitives.dll
windows=(--quiet --link-mode copy --python-platform x86_64-pc-windows-msvc --python-version 3.11)

install_locked() {
  local site=$1/Lib/site-packages
  shift
  mkdir -p "$site"
  "$uv" pip install "${windows[@]}" --system-certs --target "$site" --require-hashes "$@"
  # What numpy asks of Wine's DLLs, or Rust, it asks of ours, whose names are as long.
  ask_ours "api${math#xct}" "$math" "$site/numpy"
  ask_ours "b${random#x}" "$random" "$site"
}

ask_ours() { { grep -rlZ --include='*.pyd' "$1" "$3" || true; } | xargs -0 -r sed -i "s/$1/$2/g"; }

install_wheel() {
  local wheels=("$root"/dist/xactika_classroom-*.whl)
  [ "${#wheels[@]}" = 1 ] || { echo "one wheel in dist/ is needed: make clean wheel" >&2; exit 1; }
  "$uv" pip install "${windows[@]}" --no-deps --reinstall --target "$1/Lib/site-packages" "${wheels[0]}"
  "$root/.venv/bin/python" "$root/tools/windows/launcher.py" "$1"
}
