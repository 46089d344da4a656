#!/usr/bin/env bash
# Builds the container's image and tries it, as root, without a registry: its base is Debian by
# mmdebstrap, and it runs by chroot, its root read-only, as its user. Not tried by this: a container
# engine's own start, networks and limits, and the compose files.
set -euo pipefail
root=$(realpath "$(dirname "$0")/..")
work=$(mktemp -d)
port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')

mmdebstrap --quiet --variant=essential --include=python3,python3-venv,ca-certificates,libstdc++6,tzdata bookworm "$work/base.tar"
base=$(buildah from scratch)
buildah add --quiet "$base" "$work/base.tar" / >/dev/null
buildah commit --quiet "$base" xactika-base >/dev/null
mine=(-v /etc/ssl/certs:/etc/ssl/certs:ro) # this computer's certificates, and its index
[ ! -f /etc/pip.conf ] || mine+=(-v /etc/pip.conf:/etc/pip.conf:ro)
buildah bud --quiet --format docker --isolation chroot --build-arg BASE=localhost/xactika-base "${mine[@]}" \
  -t xactika -f "$root/container/Containerfile" "$root" >/dev/null
made=$(buildah from xactika)
there=$work/root
mkdir -p "$there" "$work/data"
chown 10001:10001 "$work/data"

mount --bind "$(buildah mount "$made")" "$there"
end() {
  [ -z "${server:-}" ] || kill "$server" 2>/dev/null || true
  sleep 1
  umount --recursive "$there" || true
  buildah rm "$made" "$base" >/dev/null
  rm -rf "$work"
}
trap end EXIT
mount -o remount,ro,bind "$there"
mount --bind "$work/data" "$there/data"
mount -t tmpfs tmpfs "$there/tmp"
mount --bind /dev "$there/dev"
mount -t proc proc "$there/proc"

inside=(env -i PATH=/opt/xactika/bin:/usr/sbin:/usr/bin:/sbin:/bin XACTIKA_DATA=/data PORT="$port" HOME=/tmp
  PYTHONDONTWRITEBYTECODE=1 XACTIKA_BASE_URL="http://127.0.0.1:$port" chroot "$there"
  setpriv --reuid 10001 --regid 10001 --clear-groups --bounding-set -all --no-new-privs)
start() {
  "${inside[@]}" start >"$work/log" 2>&1 &
  server=$!
  for _ in $(seq 60); do "${inside[@]}" alive 2>/dev/null && return; sleep 1; done
  cat "$work/log" >&2
  exit 1
}
stop() { kill -TERM "$server"; wait "$server" || true; server=; }

began=$(date +%s)
start
echo "lives after $(($(date +%s) - began)) s; who runs it: $(stat -c %u "$work/data/secret_key")"
grep -q "http://127.0.0.1:$port/teach/start/" "$work/log" # the first teacher's link
key=$(sha256sum <"$work/data/secret_key")
"${inside[@]}" xactika manage open_table --seats 2 >/dev/null
"${inside[@]}" xactika backup /data
stop
start
[ "$key" = "$(sha256sum <"$work/data/secret_key")" ]
stop
"${inside[@]}" xactika restore "$(cd "$work" && ls data/xactika-*-with-key.sqlite3 | sed 's/^/\//')" --yes
mkdir "$work/data/tests"
cp -r "$root/tests/smoke.py" "$root/tests/live" "$work/data/tests"
"${inside[@]}" python /data/tests/smoke.py
echo "built, started, restarted, backed up, restored, played"
