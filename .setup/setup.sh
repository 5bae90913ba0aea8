#!/usr/bin/env bash
# Installs what `make all` and `make test` need: Debian or Ubuntu packages, and the Python packages of
# .setup/requirements.txt in .venv. If everything is installed, it neither downloads nor prints anything. It
# may be interrupted at any point and run again.
set -euo pipefail
cd "$(dirname "$0")/.."

lock=.setup/requirements.txt
installed=.venv/requirements.txt # a copy of the lock file, written last

# shellcheck source=.setup/packages.sh
. .setup/packages.sh
# shellcheck source=.setup/wheels.sh
. .setup/wheels.sh

say() { echo "set-up    $*"; }

stop() {
    echo "set-up    $*" >&2
    exit 1
}

# have_library HEADER NAME: both, as the headers alone may come with another package.
have_library() {
    command -v g++ > /dev/null && printf '#if !__has_include(<%s>)\n#error\n#endif\nint main() {}\n' "$1" |
        g++ -x c++ -std=c++17 - -o /dev/null -l"$2" > /dev/null 2>&1
}

# The first Python that the lock file supports and that can create a virtual environment.
find_python() {
    local python
    for python in python3 /usr/bin/python3 python3.{10..14}; do
        if "$python" -c 'import sys, ensurepip, venv; sys.exit(not (3, 10) <= sys.version_info < (3, 15))' \
            2> /dev/null; then
            command -v "$python"
            return
        fi
    done
    return 1
}

# Missing Debian packages, detected by the files they provide: other systems name packages differently.
missing_packages() {
    local command library header name package
    for command in g++ cmake:cmake ninja:ninja-build ccache:ccache mpicxx:libopenmpi-dev mpirun:openmpi-bin; do
        command -v "${command%:*}" > /dev/null || echo "${command#*:}"
    done
    for library in benchmark/benchmark.h:benchmark:libbenchmark-dev gtest/gtest.h:gtest:libgtest-dev; do
        IFS=: read -r header name package <<< "$library"
        have_library "$header" "$name" || echo "$package"
    done
    [ -f "$installed" ] || find_python > /dev/null || echo python3 python3-venv
}

install_python_packages() {
    local python
    python=$(find_python) || stop "needs Python 3.10 to 3.14 with venv; install it and run make again"
    say "installing Python packages into .venv"
    rm -rf .venv
    "$python" -m venv .venv
    # What is imported is compiled then: a fifth of it, and by several processes.
    install_wheels .venv/bin/python "$lock" --no-compile ||
        stop "pip failed; once it works, run make again"
    cp "$lock" "$installed.new"
    mv "$installed.new" "$installed"
}

missing=$(missing_packages | xargs)
if [ -n "$missing" ]; then
    command -v apt-get > /dev/null ||
        stop "install these packages (Debian's names): $missing; then run make again"
    [ "$(id -u)" -eq 0 ] || sudo -n true 2> /dev/null || stop "run this, then make again:" \
        "sudo apt-get update && sudo apt-get install --no-install-recommends $missing"
    say "installing Debian packages: $missing"
    # shellcheck disable=SC2086 # a list of names
    install_packages build/apt.log $missing || {
        tail -n 15 build/apt.log >&2
        stop "apt-get failed, see build/apt.log; once it works, run make again"
    }
    missing=$(missing_packages | xargs)
    [ -z "$missing" ] || stop "still missing after apt-get: $missing"
fi

if ! { cmp -s "$lock" "$installed" && .venv/bin/python -c ''; }; then
    install_python_packages
fi
