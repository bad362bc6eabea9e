import WhereaboutsModel

/// The form in which fixes and crossings are sent to an endpoint.
///
/// docs/upload.md has a table of each template's omissions; ``unsupportedContent(of:sendingSimulated:)`` checks one
/// item.
public enum UploadTemplate: String, Hashable, Sendable, Codable, CaseIterable {
  /// Our own JSON: all values, exactly.
  case whereabouts
  /// OwnTracks over HTTP: whole metres, km/h and seconds; entering and leaving.
  case owntracks
  /// Overland's batches: whole metres, m/s and seconds; no crossings.
  case overland
  /// The query protocol of OsmAnd and Traccar: knots; crossings as positions with attributes.
  case osmand
  /// Traccar's JSON, which is that of Transistorsoft: crossings as positions with a geofence.
  case traccar

  /// Whether one request holds any number of items; otherwise it holds one.
  public var allowsBatches: Bool { self == .whereabouts || self == .overland }

  /// A kind of content that a template does not support.
  public enum UnsupportedContent: String, Hashable, Sendable, Codable, CaseIterable {
    /// Any event at a fence.
    case crossing
    /// A dwell event: the device has stayed inside for long enough.
    case dwell
    /// A correction or withdrawal of an earlier event.
    case revision
    /// A fix without a known time.
    case timeless
    /// A simulated fix, or a crossing decided by one. Such an item is left out unless requested.
    case simulated
  }

  /// All content that this template does not support.
  public var unsupportedContent: Set<UnsupportedContent> {
    switch self {
    case .whereabouts: []
    case .owntracks: [.dwell, .revision, .timeless, .simulated]
    case .overland: [.crossing, .dwell, .revision, .timeless, .simulated]
    case .osmand: [.revision, .timeless, .simulated]
    case .traccar: [.revision, .timeless]
    }
  }

  /// Whether a crossing includes its fence's name.
  public var sendsFenceNames: Bool { self == .owntracks }

  /// Returns the reason why this template does not support an item; `nil` if supported.
  ///
  /// - Parameters:
  ///   - item: the item to send.
  ///   - sendingSimulated: whether simulated items are sent as real ones if the template can't mark them.
  public func unsupportedContent(of item: UploadItem, sendingSimulated: Bool = false) -> UnsupportedContent? {
    if item.isSimulated, !sendingSimulated, unsupportedContent.contains(.simulated) { return .simulated }
    let words: [UnsupportedContent] =
      switch item.content {
      case .fix: item.time == nil ? [.timeless] : []
      case .crossing(let event): event.kind == .dwell ? [.crossing, .dwell] : [.crossing]
      case .revised: [.crossing, .revision]
      }
    return words.first(where: unsupportedContent.contains)
  }
}
