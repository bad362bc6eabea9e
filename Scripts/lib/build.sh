# Builds for tests, and for measurements. Scripts source this file: builds with other settings would compile every target
# again.

# SwiftPM passes the package's traits as flags in the order of a set, which differs from process to process without this.
# Tests run without it, so that the order of sets and dictionaries differs from run to run.
export SWIFT_DETERMINISTIC_HASHING=1

# build OPTION…: builds the package for tests, with optimization: see Package.swift. Backtraces have names of functions, and
# no lines.
build() {
  WHEREABOUTS_TEST_BUILD=1 swift build -c release -debug-info-format none --disable-index-store -Xswiftc -enable-testing "$@"
}

# build_release OPTION…: builds the package as a release does, in a folder of its own.
build_release() { swift build -c release --scratch-path .build-release "$@"; }
