#!/bin/sh
# Runs the API of template.yaml in LocalStack's API Gateway, in host mode: no Docker, no account, no
# token. A second opinion on tests/gateway/api.py, which interprets the same definition. It needs
# Python 3.12 or newer (LocalStack is written for 3.13) and some 400 MB, so it is not part of `make test`.
set -eu

python=${PYTHON313:-}
if [ -z "$python" ]; then
  for candidate in python3.13 python3.12 python3; do
    if "$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 12))' 2>/dev/null; then
      python=$candidate
      break
    fi
  done
fi
if [ -z "$python" ]; then
  echo "make test-gateway needs Python 3.12 or newer: install it, or name it with PYTHON313=…" >&2
  echo "(make test-template runs the same requests against an interpreter of the definition)" >&2
  exit 2
fi

venv=${TOOLS:-.tools}/localstack
if [ ! -e "$venv/.installed" ]; then
  "$python" -m venv "$venv"
  "$venv/bin/pip" install --quiet --disable-pip-version-check \
    --constraint infra/tools/localstack-constraints.txt \
    --requirement infra/tools/requirements-localstack.txt
  touch "$venv/.installed"
fi
[ -n "${PORTFOLIO_BIN:-}" ] || cargo build --locked --quiet --bin portfolio
AWS_DEFAULT_REGION=us-east-1 exec "$venv/bin/python" -m pytest -q tests/localstack
