/// The identifier of a segment: unique among the segments of one device, and the same in each computation.
///
/// The identifier is an instant near the start of the segment: of the instants in the first ``window`` after the start,
/// the one that the most powers of two divide. The identifier depends on the start alone. An open segment therefore
/// keeps it while it grows, and a start that moves by a few seconds mostly keeps it too. No two segments of one kind
/// share an identifier. Segments do not overlap, and either last at least as long as the window, or have an identifier
/// before their end.
package struct SegmentID: Hashable, Sendable, Comparable, CustomStringConvertible {
  /// The kinds of segments, which have identifiers of their own.
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    case visit = "v"
    case journey = "j"
    case gap = "g"
  }

  /// The kind of the segment.
  package let kind: Kind
  /// The instant, in seconds since 1970.
  package let second: Int64

  /// Creates the identifier of a segment.
  ///
  /// - Parameters:
  ///   - kind: the kind of the segment.
  ///   - start: the start of the segment.
  ///   - window: the seconds from the start in which the instant is chosen, at least 0.
  package init(_ kind: Kind, startingAt start: UTCTime, window: Int64) {
    self.kind = kind
    let (whole, rest) = start.nanosecondsSince1970.quotientAndRemainder(dividingBy: 1_000_000_000)
    let first = rest > 0 ? whole + 1 : whole
    second = Self.roundest(from: first, through: first + max(0, window))
  }

  /// Returns the number of a closed range that the most powers of two divide.
  static func roundest(from first: Int64, through last: Int64) -> Int64 {
    // The bits below the highest one in which the numbers before the range and at its end differ can be zero.
    let difference = UInt64(bitPattern: (first - 1) ^ last)
    let bits = Int64(63 - difference.leadingZeroBitCount)
    return (last >> bits) << bits
  }

  /// Creates an identifier from its text; `nil` if the text is invalid.
  package init?(_ text: String) {
    guard let first = text.first, let kind = Kind(rawValue: String(first)),
      let second = Int64(text.dropFirst(), radix: 36)
    else { return nil }
    self.kind = kind
    self.second = second
  }

  /// The kind's letter, and the instant in base 36: `vsd9tmo`.
  package var description: String { kind.rawValue + String(second, radix: 36) }

  /// The identifier of the place that the visit founds, if the visit is the first one there: `psd9tmo`.
  package var placeID: String { "p" + String(second, radix: 36) }

  package static func < (left: Self, right: Self) -> Bool {
    (left.second, left.kind.rawValue) < (right.second, right.kind.rawValue)
  }
}
