# Makes builds repeat nothing. SwiftPM passes the package's traits as flags in the order of a set, and without this the
# order differs from process to process: each build would compile every target again. Scripts source this file before they
# build; tests run without it, so that the order of sets and dictionaries differs from run to run.
export SWIFT_DETERMINISTIC_HASHING=1
