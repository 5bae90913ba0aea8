# shellcheck shell=bash
# Sourced: installing Debian or Ubuntu packages, by root or sudo, without prompting.

# Run a command as root without prompting.
as_root() {
    if [ "$(id -u)" -eq 0 ]; then
        env DEBIAN_FRONTEND=noninteractive "$@"
    else
        sudo -n env DEBIAN_FRONTEND=noninteractive "$@"
    fi
}

# Whether packages can be installed here at all.
can_install() {
    command -v apt-get > /dev/null && { [ "$(id -u)" -eq 0 ] || sudo -n true 2> /dev/null; }
}

# install_packages LOG NAMES..: three attempts, because another apt may be running or an earlier one may have
# been interrupted; fails if the last one does.
install_packages() {
    local try log=$1
    local apt=(apt-get -y -qq -o DPkg::Lock::Timeout=120)
    shift
    mkdir -p "$(dirname "$log")"
    for try in 1 2 3; do
        if [ "$try" -gt 1 ]; then
            sleep 5
            as_root dpkg --configure -a --force-confold || true
            as_root "${apt[@]}" --fix-broken install || true
        fi
        as_root "${apt[@]}" update || true
        if as_root "${apt[@]}" install --no-install-recommends "$@"; then return; fi
    done < /dev/null > "$log" 2>&1
    return 1
}
