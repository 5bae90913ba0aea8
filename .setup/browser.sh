#!/usr/bin/env bash
# Sees to a browser for the tests of the page: an installed Chromium or Chrome, else Debian's package, else
# the one that Playwright fetches into .venv/browsers. Without any it says so in one line; the tests are then
# skipped, but in CI they fail.
set -euo pipefail
cd "$(dirname "$0")/.."

# shellcheck source=.setup/packages.sh
. .setup/packages.sh

is_there() {
    local name
    for name in chromium chromium-browser google-chrome; do
        if command -v "$name" > /dev/null; then return; fi
    done
    compgen -G '.venv/browsers/chromium*' > /dev/null
}

# Ubuntu has it as a snap only, which containers cannot run.
is_in_debian() {
    grep -qx ID=debian /etc/os-release 2> /dev/null
}

if is_there; then exit; fi
echo "set-up    installing Chromium, for the tests of the page"
log=build/browser.log
mkdir -p build
if is_in_debian && can_install && install_packages "$log" chromium; then exit; fi
libraries=()
if can_install; then libraries=(--with-deps); fi
if PLAYWRIGHT_BROWSERS_PATH=.venv/browsers timeout 300 .venv/bin/python -m playwright install \
    "${libraries[@]}" --only-shell chromium > "$log" 2>&1; then exit; fi
rm -rf .venv/browsers
echo "set-up    no browser could be installed, see $log: the tests of the page are skipped"
