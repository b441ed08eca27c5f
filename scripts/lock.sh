#!/usr/bin/env bash
# Writes the hashed requirements from pyproject.toml, for every Python and platform we support.
set -eu
cd "$(dirname "$0")/.."
uv="${UV:-.venv/bin/uv}"
compile() { "$uv" pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-annotate \
    --custom-compile-command scripts/lock.sh "$@"; }
compile requirements/uv.in -o requirements/uv.txt
compile pyproject.toml -o requirements/base.txt
compile pyproject.toml --group dev -c requirements/base.txt -o requirements/dev.txt
