#!/usr/bin/env bash
# The README's commands, as a newcomer's machine runs them: a bare Debian without CUDA, MPI, NCCL or Python packages.
#
#     .ci/bare.sh [--test]
#
# debootstrap makes the bare root in a temporary folder; HEAD is cloned into it, to a path with a blank; there run make
# all, make all again and, with --test, make test. Prints seconds. Fails if a command does, if one leaves the tree
# changed, or if the second make all finds something to do. Needs root and the package registries. SUITE=trixie, for
# one, is Debian 13 (bookworm). Ends with nothing left of it, interrupted or not: its mounts are in a namespace of
# their own.
#
#     .ci/bare.sh --can      no more than why it cannot run here, in one line, and exit status 1
set -euo pipefail
cd "$(dirname "$0")/.."

# shellcheck source=.setup/packages.sh
. .setup/packages.sh

suite=${SUITE:-bookworm}
clone="/home/scan on trial"

say() { echo "bare      $*"; }

stop() {
    say "$*" >&2
    exit 1
}

# From here on as root of the bare Debian: `inside FOLDER`.
inside() {
    mount -t proc proc "$1/proc"
    mount --rbind /dev "$1/dev"
    # Of this machine's settings only those by which its registries are reached.
    local settings=("HOME=/root" "PATH=/usr/sbin:/usr/bin:/sbin:/bin") name
    for name in http_proxy https_proxy no_proxy PIP_INDEX_URL PIP_EXTRA_INDEX_URL PIP_CERT PIP_TRUSTED_HOST; do
        if [ -n "${!name-}" ]; then settings+=("$name=${!name}"); fi
    done
    exec chroot "$1" /usr/bin/env -i "${settings[@]}" /bin/bash -euo pipefail -c "$2" "$3"
}

if [ "${1-}" = --inside ]; then inside "${@:2}"; fi

test=
case "${1-}" in
    --can | "") ;;
    --test) test=yes ;;
    *) stop "usage: .ci/bare.sh [--test]" ;;
esac
[ "$(id -u)" -eq 0 ] || stop "not run: needs root"
command -v debootstrap > /dev/null || { can_install && install_packages build/apt.log debootstrap; } ||
    stop "not run: needs debootstrap, which could not be installed"
unshare --mount true 2> /dev/null || stop "not run: mounts are not permitted here"
if [ "${1-}" = --can ]; then exit; fi

place=$(mktemp -d /var/tmp/bare.XXXXXX) # debootstrap cannot make a root in a path with a blank
root=$place/root
running=

# With the first process of a namespace all of its processes end, and with these its mounts.
clean_up() {
    if [ -n "$running" ]; then kill -KILL "$running" 2> /dev/null; fi
    wait
    rm -rf --one-file-system "$place"
}
trap clean_up EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

# alone COMMAND..: in a namespace of its own.
alone() {
    local status=0
    unshare --mount --pid --fork --kill-child "$@" &
    running=$!
    wait "$running" || status=$?
    running=
    return "$status"
}

# run COMMAND..: in the bare root.
run() { alone "$PWD/.ci/bare.sh" --inside "$root" "cd \"\$0\"; $*" "$clone"; }

# timed COMMAND..: the same, with its seconds; afterwards the tree must be as it was cloned.
timed() {
    local start=$SECONDS changed
    run "$*"
    say "$* took $((SECONDS - start)) s"
    changed=$(run git status --porcelain)
    [ -z "$changed" ] || stop "$* has changed the tree:"$'\n'"$changed"
}

say "making a bare $suite in $place"
alone debootstrap --variant=minbase --include=ca-certificates,git,make "$suite" "$root" \
    "${MIRROR:-http://deb.debian.org/debian}" > "$place/debootstrap.log" 2>&1 ||
    { tail -n 15 "$place/debootstrap.log" >&2; stop "debootstrap failed"; }
cp /etc/resolv.conf "$root/etc/resolv.conf"
if [ -f "${PIP_CERT-}" ]; then install -D -m 644 "$PIP_CERT" "$root$PIP_CERT"; fi
apt-config dump | grep -iE '^Acquire::https?::Proxy' > "$root/etc/apt/apt.conf.d/99here" || true
git clone --quiet --no-hardlinks . "$root$clone"
say "cloned $(git rev-parse --short HEAD) to $clone"
timed make all
for name in paper supplement; do
    run "head -c 4 build/$name.pdf | grep -q %PDF" || stop "build/$name.pdf was not made"
done
timed "make all | tee /tmp/again"
run "grep -q 'nothing to do' /tmp/again" || stop "the second make all found something to do"
if [ -n "$test" ]; then timed make test; fi
say "ok"
