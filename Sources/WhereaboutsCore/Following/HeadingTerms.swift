/// What a subscription to headings asks for.
public struct HeadingTerms: Hashable, Sendable, Codable {
  /// The least turn since the last heading told, in degrees in [0, 180], before another is told; 0 tells all.
  public var filter: Double
  /// The north the subscriber wants headings counted from; `nil` takes any.
  ///
  /// With `nil`, a heading counted from another north than the last one told is told whatever its angle, because the
  /// two can't be compared. Where an instrument gives true and magnetic headings in turn, name one.
  public var reference: Heading.Reference?

  /// Every turn of a degree, from any north.
  public static let standard = HeadingTerms()

  /// Terms of a subscription.
  ///
  /// - Parameters:
  ///   - filter: degrees; one that is negative or not a number counts as 0, one above 180 as 180.
  ///   - reference: the north to count from.
  public init(filter: Double = 1, reference: Heading.Reference? = nil) {
    self.filter = filter > 0 ? min(filter, 180) : 0
    self.reference = reference
  }
}
