import WhereaboutsCore

/// The form in which fixes and crossings go to an endpoint.
///
/// What each can't say is left out or said otherwise: docs/upload.md has the whole table, and `unsaid(of:)` says it of
/// one item.
public enum UploadTemplate: String, Hashable, Sendable, Codable, CaseIterable {
  /// Our own JSON: everything, exactly.
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
  public var holdsMany: Bool { self == .whereabouts || self == .overland }

  /// Something that a template has no words for.
  public enum Unsaid: String, Hashable, Sendable, Codable, CaseIterable {
    /// Anything that happens at a fence.
    case crossing
    /// That the device has stayed inside for long enough.
    case dwell
    /// That an event was otherwise than told, or did not happen.
    case revision
    /// A fix of which no time is known.
    case timeless
    /// That a fix, or the fix that settled a crossing, is simulated. Such an item is left out unless it is asked for.
    case simulated
  }

  /// All that this template has no words for.
  public var unsaid: Set<Unsaid> {
    switch self {
    case .whereabouts: []
    case .owntracks: [.dwell, .revision, .timeless, .simulated]
    case .overland: [.crossing, .dwell, .revision, .timeless, .simulated]
    case .osmand: [.revision, .timeless, .simulated]
    case .traccar: [.revision, .timeless]
    }
  }

  /// Whether what people call a fence is sent with a crossing.
  public var namesFences: Bool { self == .owntracks }

  /// Why this template can't say an item; `nil` where it can.
  ///
  /// - Parameters:
  ///   - item: what is to be sent.
  ///   - sendingSimulated: whether simulated items go as if they were real where they can't be marked.
  public func unsaid(of item: UploadItem, sendingSimulated: Bool = false) -> Unsaid? {
    if item.isSimulated, !sendingSimulated, unsaid.contains(.simulated) { return .simulated }
    let words: [Unsaid] =
      switch item.content {
      case .fix: item.time == nil ? [.timeless] : []
      case .crossing(let event): event.kind == .dwell ? [.crossing, .dwell] : [.crossing]
      case .revised: [.crossing, .revision]
      }
    return words.first(where: unsaid.contains)
  }
}
