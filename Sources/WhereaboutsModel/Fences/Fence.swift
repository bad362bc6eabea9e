public import WhereaboutsGeodesy

/// A geofence: an area whose enter, exit and dwell events are reported.
public struct Fence: Hashable, Sendable, Identifiable {
  /// The fence's unique id.
  public let id: FenceID
  /// The fence's area.
  public var area: Area
  /// The events to report and the confidence that they need.
  public var terms: FenceTerms
  /// The display name; `nil` if none.
  public var name: String?
  /// Further properties of the owner, never interpreted.
  public var properties: [String: JSONValue]

  /// Creates a fence around an area.
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
