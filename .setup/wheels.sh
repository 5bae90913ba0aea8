# shellcheck shell=bash
# Sourced: installing the Python packages of a lock file. They are kept in the user's cache, so that another clone
# needs no network.

wheels=${XDG_CACHE_HOME:-${HOME:-/tmp}/.cache}/scan_on_trial/wheels

# install_wheels PYTHON LOCK OPTIONS..: by pip of this Python, with pip's OPTIONS. Every file's digest is compared with
# the lock file's. What is large is named when it is fetched.
install_wheels() {
    local pip=("$1" -m pip --disable-pip-version-check --no-input)
    local locked=(--require-hashes --only-binary :all: --requirement "$2")
    local from_cache=("${pip[@]}" install --quiet --no-index --find-links "$wheels" "${locked[@]}" "${@:3}")
    mkdir -p "$wheels"
    if "${from_cache[@]}" 2> /dev/null; then return; fi
    "${pip[@]}" download --no-cache-dir --no-deps --dest "$wheels" "${locked[@]}" |
        sed -un 's/^ *Downloading \(.*\)-[^-]*-[^-]*-[^-]*\.whl\( ([0-9.]* MB)\)$/set-up    fetching \1\2/p' || return
    "${from_cache[@]}"
}
