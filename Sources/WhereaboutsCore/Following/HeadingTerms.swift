/// What a subscription to headings asks for.
public struct HeadingTerms: Hashable, Sendable, Codable {
  /// The least turn since the last heading told, in degrees in [0, 180], before another is told; 0 tells all.
  public var filter: Double
  /// The north the subscriber wants headings counted from; `nil` takes any.
  ///
  /// With `nil`, each is measured against the last one told from the same north, because two from different norths can't
  /// be compared: an instrument that gives both is told of twice for each turn.
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
