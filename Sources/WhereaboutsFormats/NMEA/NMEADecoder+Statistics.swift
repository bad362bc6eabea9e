extension NMEADecoder {
  /// How many sentences of which type were well formed. What was not is in the batch's problems.
  public struct Statistics: Hashable, Sendable {
    /// By the raw value of the kind. A vector, for it is counted in place without a look at references.
    private var counts = SIMD32<Int>()

    /// Sentences of types that are not read, which is no problem.
    public internal(set) var unread = 0

    /// Sentences that begin with `!`, such as AIS reports.
    public internal(set) var encapsulated = 0

    /// Instants for which the receiver said that it has no fix.
    public internal(set) var instantsWithoutFix = 0

    /// Sentences with a position that say again what was said of the same instant, as where a receiver's clock stands
    /// still. Receivers that send one such sentence for each constellation have some too.
    public internal(set) var repetitions = 0

    init() {}

    /// All well-formed sentences.
    public var sentences: Int { counts.wrappedSum() + unread + encapsulated }

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
      withUnsafeMutableBytes(of: &counts) { bytes in
        bytes.withMemoryRebound(to: Int.self) { $0[Int(kind.rawValue)] &+= 1 }
      }
    }
  }
}
