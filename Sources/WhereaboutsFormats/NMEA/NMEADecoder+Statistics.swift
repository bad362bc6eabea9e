extension NMEADecoder {
  /// How many sentences of which type were well formed. What was not is in the batch's problems.
  public struct Statistics: Hashable, Sendable {
    private var counts = [Int](repeating: 0, count: SentenceKind.allCases.count)

    /// Sentences of types that are not read, which is no problem.
    public internal(set) var unread = 0

    /// Sentences that begin with `!`, such as AIS reports.
    public internal(set) var encapsulated = 0

    init() {}

    /// All well-formed sentences.
    public var sentences: Int { counts.reduce(unread + encapsulated, +) }

    /// The sentences read, by type (`RMC`, `GGA`, … `PGRME`, `PUBX,00`); types that did not occur are left out.
    public var byType: [String: Int] {
      var result: [String: Int] = [:]
      for kind in SentenceKind.allCases where counts[Int(kind.rawValue)] > 0 {
        result[kind.name] = counts[Int(kind.rawValue)]
      }
      return result
    }

    @inline(__always)
    mutating func count(_ kind: SentenceKind) {
      counts[Int(kind.rawValue)] &+= 1
    }
  }
}
