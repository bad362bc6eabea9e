# What the package needs besides a Swift toolchain, and how to get it. Sourced by the other scripts.

# The XML parser's header; Apple's platforms do without it.
need_expat() {
  [ "$(uname -s)" = Linux ] || return 0
  for include in /usr/include /usr/local/include; do
    [ -f "$include/expat.h" ] && return 0
  done
  echo "expat.h is missing. On Debian or Ubuntu: apt-get install libexpat1-dev" >&2
  exit 1
}
