import Atomics

/// A report of the number of elements that the consumers of a stream have consumed, so that a source can wait for them.
final class ConsumptionReport: Sendable {
  private let batch: Int
  private let report: @Sendable (Int) -> Void
  private let consumed = ManagedAtomic(0)

  /// - Parameter batch: the number of elements that are reported at once, at least 1.
  init(batch: Int, report: @escaping @Sendable (Int) -> Void) {
    self.batch = batch
    self.report = report
  }

  /// Counts a consumed element.
  func count() {
    // Elements that an earlier consumer has left unreported belong to the next batch.
    let count = consumed.wrappingIncrementThenLoad(ordering: .relaxed)
    if count.isMultiple(of: batch) { report(batch) }
  }
}
