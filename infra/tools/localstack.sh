#!/bin/sh
# Runs a folder of tests with LocalStack in host mode: no Docker, no account and no token.
#
#   localstack.sh tests/localstack   the API in LocalStack's API Gateway; checks tests/gateway/api.py
#   localstack.sh tests/account      deployments in an emulated account
#
# LocalStack 4.14 needs Python 3.13 and about 400 MB. Without that Python the test is skipped. PYTHON313
# names an interpreter; a named interpreter that does not work is an error.
set -eu
tests=$1

usable() {
  "$1" -c 'import sys; sys.exit(sys.version_info[:2] != (3, 13))' 2>/dev/null
}

python=${PYTHON313:-}
if [ -n "$python" ]; then
  usable "$python" || { echo "localstack: PYTHON313=$python is not Python 3.13" >&2; exit 2; }
else
  for candidate in python3.13 "${PYENV_ROOT:-$HOME/.pyenv}"/versions/3.13*/bin/python3.13 python3; do
    if usable "$candidate"; then
      python=$candidate
      break
    fi
  done
fi
if [ -z "$python" ]; then
  echo "*** SKIPPED: $tests needs Python 3.13. Install it, or set PYTHON313 to its path." >&2
  exit 0
fi

venv=${TOOLS:-.tools}/localstack
requirements=infra/tools/requirements-localstack.txt
if [ ! -e "$venv/.installed" ] || [ "$requirements" -nt "$venv/.installed" ]; then
  "$python" -m venv "$venv"
  "$venv/bin/pip" install --quiet --disable-pip-version-check --no-deps --require-hashes \
    --requirement "$requirements"
  touch "$venv/.installed"
fi
AWS_DEFAULT_REGION=us-east-1 exec "$venv/bin/python" -m pytest -q "$tests"
