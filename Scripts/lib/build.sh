# Builds for tests, and for measurements. Scripts source this file: builds with other settings would compile every target
# again.

# SwiftPM passes the package's traits as flags in the order of a set, which differs from process to process without this.
# Tests run without it, so that the order of sets and dictionaries differs from run to run.
export SWIFT_DETERMINISTIC_HASHING=1

# build OPTION…: builds the package for tests. What calculates is optimized: see Package.swift. The variable is for the
# build only, since the server refuses unknown ones. Each module as a whole, and without debug information, takes two
# thirds of the time. Backtraces then have names of functions, and no lines.
build() {
  WHEREABOUTS_OPTIMIZED=1 swift build -debug-info-format none \
    -Xswiftc -disable-batch-mode -Xswiftc -whole-module-optimization -Xswiftc -num-threads -Xswiftc "$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)" "$@"
}

# build_release OPTION…: builds the package as a release does, in a folder of its own.
build_release() { swift build -c release --scratch-path .build-release "$@"; }
