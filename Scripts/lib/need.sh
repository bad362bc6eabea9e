# Installs what the package needs besides a Swift toolchain. The scripts source this file; the list of Debian's packages
# stands here alone. Apple's platforms have all of it.
#
#   need command     what the command needs to be built without traits: the demo
#   need build       what every target needs to be built
#   need packing     what packs a command for Debian; it may be built elsewhere, so this is without Swift
#   need package     what building and packing need
#   need tests       what the tests run besides
#   need page        what the tests of the web page run besides: a browser
#   need live        the services that the tests of live sources run; without them those tests are skipped
#
# Where INSTALL=no (--no-install), nothing is installed: the command that would do it is printed, and the script ends.

# Prints the packages of a set that are missing, one a line.
missing_packages() {
  case $1 in
  command)
    missing_header expat.h libexpat1-dev
    missing_header sqlite3.h libsqlite3-dev
    missing_header zlib.h zlib1g-dev
    ;;
  build)
    missing_packages command
    missing_header systemd/sd-bus.h libsystemd-dev
    missing_header mosquitto.h libmosquitto-dev
    missing_header sodium.h libsodium-dev
    missing_program python3 python3
    ;;
  packing) missing_program dpkg-shlibdeps dpkg-dev; missing_program strip binutils ;;
  package) missing_packages build; missing_packages packing ;;
  tests) missing_packages build; missing_program sqlite3 sqlite3; missing_program openssl openssl ;;
  page)
    missing_packages build
    # Chromium without the windows around the pages: it takes half of the processor time.
    missing_program chromium-headless-shell chromium-headless-shell
    python3 -c 'import ensurepip' 2>/dev/null || echo python3-venv
    ;;
  live)
    missing_packages tests
    missing_program gpsd gpsd
    missing_program dbus-daemon dbus
    missing_file /usr/libexec/geoclue geoclue-2.0
    missing_file /usr/libexec/geoclue-2.0/demos/agent geoclue-2-demo
    missing_program mosquitto mosquitto
    missing_program mosquitto_sub mosquitto-clients
    ;;
  *) echo "need: there is no set $1" >&2; return 2 ;;
  esac
}
missing_header() { [ -f "/usr/include/$1" ] || [ -f "/usr/local/include/$1" ] || echo "$2"; }
missing_program() { command -v "$1" >/dev/null || [ -x "/usr/sbin/$1" ] || [ -x "/usr/local/sbin/$1" ] || echo "$2"; }
missing_file() { [ -e "$1" ] || echo "$2"; }

# Makes sure that a set is installed, or ends the script with what to type.
need() {
  [ "$1" = packing ] || need_swift
  [ "$(uname -s)" = Linux ] || return 0
  # shellcheck disable=SC2046 # the names are words
  set -- "$1" $(missing_packages "$1")
  if [ $# -gt 1 ]; then install_packages "$@"; fi
  [ "$1" != live ] || need_gpspipe
}

need_swift() {
  command -v swift >/dev/null && return 0
  echo "swift is missing. Install version 6.2 or later: https://www.swift.org/install" >&2
  exit 1
}

# Installs packages with Debian's tools, as root or by sudo. The first argument is the set, checked again afterwards.
install_packages() {
  needed=$1
  shift
  install="apt-get install -y --no-install-recommends $*"
  if ! command -v apt-get >/dev/null; then
    echo "Missing here: what Debian calls $*. Install these with this system's package manager." >&2
    exit 1
  fi
  as_root=
  if [ "$(id -u)" -ne 0 ]; then as_root=sudo; fi
  if [ "${INSTALL:-yes}" = no ] || { [ -n "$as_root" ] && ! command -v sudo >/dev/null; }; then
    echo "Missing: $*. To install: ${as_root:+sudo }$install" >&2
    exit 1
  fi
  echo "Installing${as_root:+ with sudo} (--no-install prevents it): $*" >&2
  # The lists first: a bare system has none. Messages go to standard error, for standard output is the script's.
  # Downloads may take minutes, and another installation too.
  patience="-o Acquire::Retries=5 -o Acquire::http::Timeout=300 -o Acquire::https::Timeout=300 -o DPkg::Lock::Timeout=1800"
  if ! { $as_root apt-get update -qq $patience &&
    $as_root env DEBIAN_FRONTEND=noninteractive $install -qq -o Dpkg::Use-Pty=0 $patience; } >&2; then
    echo "Could not install $*. By hand: ${as_root:+sudo }apt-get update && ${as_root:+sudo }$install" >&2
    exit 1
  fi
  left=$(missing_packages "$needed")
  [ -z "$left" ] || { echo "Still missing after the installation: $(echo $left)" >&2; exit 1; }
}

# Of gpsd's clients only gpspipe is run, and their package brings a desktop's libraries: gpspipe alone goes to .build.
need_gpspipe() {
  tools=$(pwd)/.build/tools
  PATH=$PATH:$tools/usr/bin
  export PATH
  command -v gpspipe >/dev/null && return 0
  command -v apt-get >/dev/null && command -v dpkg-deb >/dev/null && [ "${INSTALL:-yes}" != no ] || return 0
  mkdir -p "$tools"
  (cd "$tools" && apt-get download -qq gpsd-clients && dpkg-deb -x gpsd-clients_*.deb . && rm gpsd-clients_*.deb) >&2 ||
    echo "gpspipe is not installed: the tests that run it are skipped." >&2
}
