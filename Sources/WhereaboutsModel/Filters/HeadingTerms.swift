/// The terms of a subscription to headings.
public struct HeadingTerms: Hashable, Sendable, Codable {
  /// The least turn since the last reported heading before another is reported, in degrees in [0, 180]; 0 reports
  /// all.
  public var filter: Double
  /// The north from which the subscriber wants headings counted; `nil` for any.
  ///
  /// With `nil`, each heading is compared with the last one reported from the same north, because headings from
  /// different norths can't be compared. An instrument that gives both kinds causes two reports for each turn.
  public var reference: Heading.Reference?

  /// The standard terms: every turn of a degree, from any north.
  public static let standard = HeadingTerms()

  /// Creates the terms of a subscription.
  ///
  /// - Parameters:
  ///   - filter: degrees; a negative value or one that is not a number counts as 0, one above 180 as 180.
  ///   - reference: the north to count from.
  public init(filter: Double = 1, reference: Heading.Reference? = nil) {
    self.filter = filter > 0 ? min(filter, 180) : 0
    self.reference = reference
  }
}
