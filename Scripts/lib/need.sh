# What the package needs besides a Swift toolchain, and how to get it. Sourced by the other scripts.

# The headers of the libraries that come with the system; Apple's platforms have them.
need_headers() {
  [ "$(uname -s)" = Linux ] || return 0
  for header in expat.h sqlite3.h zlib.h systemd/sd-bus.h; do
    [ -f "/usr/include/$header" ] || [ -f "/usr/local/include/$header" ] && continue
    echo "$header is missing. On Debian or Ubuntu: apt-get install libexpat1-dev libsqlite3-dev libsystemd-dev zlib1g-dev" >&2
    exit 1
  done
}
