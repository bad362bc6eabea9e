/// A detector of the last sentence in a receiver's cycle.
///
/// A receiver sends nearly the same sentences in the same order for each solution; some come only every few cycles.
/// The last sentence of two cycles in a row counts as the last from then on. If another one follows after all, the
/// detector starts again.
struct EpochCycle {
  /// A sentence, identified by its type and the number of sentences of that type before it in the cycle.
  private struct SentencePosition: Equatable {
    var kind: SentenceKind
    var number: UInt8
  }

  private var counts = SIMD32<UInt8>()
  private var latest: SentencePosition?
  private var endOfLastCycle: SentencePosition?
  private var end: SentencePosition?

  /// Processes a sentence of the current instant; returns whether the sentence ends the cycle.
  mutating func isEnded(by kind: SentenceKind, isEmitted: Bool) -> Bool {
    let place = SentencePosition(kind: kind, number: counts[Int(kind.rawValue)])
    counts[Int(kind.rawValue)] &+= 1
    latest = place
    if isEmitted {
      end = nil
      return false
    }
    return place == end
  }

  /// Closes the instant, because another one begins.
  mutating func close() {
    if latest != nil, latest == endOfLastCycle { end = latest }
    endOfLastCycle = latest
    latest = nil
    counts = SIMD32()
  }
}
