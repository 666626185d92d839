# Sourced by the scripts beside it: finds a Python that is new enough and makes .venv with it.

find_python() {
    local candidate
    for candidate in ${PYTHON:-python3 python3.13 python3.12 python3.11 python}; do
        if "$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2> /dev/null; then
            echo "$candidate"
            return
        fi
    done
    echo "codequarry needs Python 3.11 or newer and found none: install it, or name it, as in PYTHON=/path/to/python3.12 $0" >&2
    exit 1
}

# make_venv EXTRA: .venv with this checkout, editable, and one of its extras; does nothing while pyproject.toml stays as it is.
make_venv() {
    local stamp=.venv/.installed-$1
    [ -x .venv/bin/python ] || "$(find_python)" -m venv .venv
    if [ ! -e "$stamp" ] || ! cmp -s pyproject.toml "$stamp"; then
        .venv/bin/python -m pip install --quiet --quiet --disable-pip-version-check --editable ".[$1]"
        cp pyproject.toml "$stamp"
    fi
}
