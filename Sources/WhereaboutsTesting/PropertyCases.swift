#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// How many cases the package's property tests run: a few, or with `Scripts/test --long` all of them.
///
/// The only place that reads `WHEREABOUTS_LONG_TESTS`.
package enum PropertyCases {
  package static let runsAll = getenv("WHEREABOUTS_LONG_TESTS") != nil

  /// The seeds of a property test.
  ///
  /// - Parameters:
  ///   - count: how many of the first ones a usual run tests.
  ///   - all: every seed, for a long run.
  package static func seeds<Seed: FixedWidthInteger>(_ count: Int, of all: ClosedRange<Seed>) -> [Seed] {
    runsAll ? Array(all) : Array(all.prefix(count))
  }

  /// Elements spread evenly over all cases of a test: every `step`th in a usual run, all of them in a long one.
  package static func every<Element>(_ step: Int, of all: some Collection<Element>) -> [Element] {
    runsAll ? Array(all) : all.enumerated().filter { $0.offset % step == 0 }.map(\.element)
  }
}
