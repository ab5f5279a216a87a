#!/bin/sh
# Installs Schemathesis from PyPI into a virtual environment of its own, once, and prints the program.
# Needs python3 with venv; where that or PyPI is missing it says so, and exits with 3.
set -eu
version=4.32.5
folder=${XDG_CACHE_HOME:-$HOME/.cache}/sluice-schemathesis-$version
program=$folder/bin/schemathesis

whole() { [ "$("$program" --version 2>/dev/null)" = "schemathesis, version $version" ]; }

missing() {
  echo "$1" >&2
  exit 3
}

if ! whole; then
  python3 -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 10))' 2>/dev/null ||
    missing 'Schemathesis needs python3 (3.10 or newer) with venv: apt-get install python3-venv'
  echo "Installing Schemathesis $version into $folder" >&2
  rm -rf "$folder"
  mkdir -p "$(dirname "$folder")"
  trap 'whole || rm -rf "$folder"' EXIT
  trap 'exit 130' INT TERM
  # Its scripts name the folder that they are in, so it cannot be made aside and moved.
  { python3 -m venv "$folder" &&
    "$folder/bin/pip" install --quiet --disable-pip-version-check "schemathesis==$version"; } >&2 ||
    missing 'PyPI did not give Schemathesis: see the message above.'
  whole || missing 'Schemathesis was installed, and does not start.'
fi
echo "$program"
