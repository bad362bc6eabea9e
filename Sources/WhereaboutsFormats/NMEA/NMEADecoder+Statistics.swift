extension NMEADecoder {
  /// The numbers of well-formed sentences by type. Other sentences are in the batch's problems.
  public struct Statistics: Hashable, Sendable {
    /// The counts by the raw value of the kind. A vector, so that counting in place touches no references.
    private var counts = SIMD32<Int>()

    /// The number of sentences of unsupported types, which are no problem.
    public internal(set) var unsupportedSentences = 0

    /// The number of sentences that begin with `!`, such as AIS reports; without a checksum only if that is accepted.
    public internal(set) var encapsulated = 0

    /// The number of instants for which the receiver stated no fix.
    public internal(set) var epochsWithoutFix = 0

    /// The number of sentences that repeat a position of the same instant, as from a receiver whose clock stands
    /// still. Receivers that send one such sentence for each constellation have some too.
    public internal(set) var repeatedPositions = 0

    init() {}

    /// The number of all well-formed sentences.
    public var sentences: Int { supportedSentences + unsupportedSentences + encapsulated }

    /// The number of sentences of supported types.
    var supportedSentences: Int { counts.wrappedSum() }

    /// The numbers of sentences read, by type (`RMC`, `GGA`, … `PUBX,00`, `PUBX,04`), without types that did not occur.
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
