public import WhereaboutsGeodesy

/// A place to watch: told when the device enters, leaves, or has stayed.
public struct Fence: Hashable, Sendable, Identifiable {
  /// What it is found again by; there is one fence of each.
  public let id: FenceID
  /// Where.
  public var area: Area
  /// What is to be told, and how sure it must be.
  public var terms: FenceTerms
  /// What people call it; `nil` where nobody does.
  public var name: String?
  /// What else its owner keeps with it. Not looked at.
  public var properties: [String: JSONValue]

  /// A fence around an area.
  public init(
    id: FenceID, area: Area, terms: FenceTerms = FenceTerms(), name: String? = nil,
    properties: [String: JSONValue] = [:]
  ) {
    self.id = id
    self.area = area
    self.terms = terms
    self.name = name
    self.properties = properties
  }
}
