import WhereaboutsSystem

/// The number of cases that the package's property tests run: a few, or all with `Scripts/test --long`.
///
/// Only this type reads `WHEREABOUTS_LONG_TESTS`.
package enum PropertyCases {
  package static let runsAll = getenv("WHEREABOUTS_LONG_TESTS") != nil

  /// Returns the seeds of a property test.
  ///
  /// - Parameters:
  ///   - count: the number of first seeds that a normal run tests.
  ///   - all: every seed, for a long run.
  package static func seeds<Seed: FixedWidthInteger>(_ count: Int, of all: ClosedRange<Seed>) -> [Seed] {
    runsAll ? Array(all) : Array(all.prefix(count))
  }

  /// Returns elements spread evenly over all cases: every `step`th in a normal run, all of them in a long one.
  package static func every<Element>(_ step: Int, of all: some Collection<Element>) -> [Element] {
    runsAll ? Array(all) : all.enumerated().filter { $0.offset % step == 0 }.map(\.element)
  }
}
