#!/bin/sh
# Makes sure that there is a Chromium for the tests of the page: the one that CHROMIUM names, an installed one,
# or Debian's package, which is installed if this runs as root on Debian or Ubuntu. Debian keeps only the newest
# version of it, so no version is pinned; playwright-core is.
set -eu

for candidate in "${CHROMIUM:-}" /usr/bin/chromium /usr/bin/chromium-browser /usr/bin/google-chrome; do
  [ -n "$candidate" ] && [ -x "$candidate" ] && exit 0
done
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
  export DEBIAN_FRONTEND=noninteractive
  apt-get update -qq
  apt-get install -y -qq --no-install-recommends chromium fonts-liberation >/dev/null
  exit 0
fi
echo "chromium: make test-page needs Chromium. Install it (Debian: apt install chromium), or set CHROMIUM to its path" >&2
exit 1
