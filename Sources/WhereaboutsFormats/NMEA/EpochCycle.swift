/// Learns with which sentence a receiver ends its cycle.
///
/// A receiver sends the same sentences in the same order each time it has a solution, more or less: some come only every
/// few cycles. The sentence that was last in two cycles in a row is taken for the last from then on; when another
/// one follows it after all, that is forgotten.
struct EpochCycle {
  /// A sentence by its type and by how many of that type came before it in the cycle.
  private struct Place: Equatable {
    var kind: SentenceKind
    var number: UInt8
  }

  private var counts = SIMD32<UInt8>()
  private var latest: Place?
  private var endOfLastCycle: Place?
  private var end: Place?

  /// A sentence of the instant at hand was taken; whether it is the one that ends the cycle.
  mutating func isEnded(by kind: SentenceKind, isTold: Bool) -> Bool {
    let place = Place(kind: kind, number: counts[Int(kind.rawValue)])
    counts[Int(kind.rawValue)] &+= 1
    latest = place
    if isTold {
      end = nil
      return false
    }
    return place == end
  }

  /// Another instant begins.
  mutating func close() {
    if latest != nil, latest == endOfLastCycle { end = latest }
    endOfLastCycle = latest
    latest = nil
    counts = SIMD32()
  }
}
