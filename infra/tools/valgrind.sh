#!/bin/sh
# Makes sure that there is valgrind for the counts of instructions: an installed one, or Debian's package, which is
# installed if this runs as root on Debian or Ubuntu. Ends with 1 if there is none.
set -eu

command -v valgrind >/dev/null && exit 0
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
  export DEBIAN_FRONTEND=noninteractive
  apt-get update -qq
  apt-get install -y -qq --no-install-recommends valgrind >/dev/null
  exit 0
fi
echo "valgrind: the counts of instructions need valgrind. Install it (Debian: apt install valgrind)" >&2
exit 1
