# Settings of every build for tests. Scripts source this file before they build; builds with other settings would compile
# every target again.

# SwiftPM passes the package's traits as flags in the order of a set, which differs from process to process without this.
# Tests run without it, so that the order of sets and dictionaries differs from run to run.
export SWIFT_DETERMINISTIC_HASHING=1

# The targets that calculate are optimized, with every check left in: their tests take a quarter to a tenth of the
# processor time.
export WHEREABOUTS_OPTIMIZED_TESTS=1
