/// The form in which fixes and crossings go to an endpoint.
public enum UploadTemplate: String, Hashable, Sendable, Codable, CaseIterable {
  /// Our own JSON.
  case whereabouts
  /// OwnTracks over HTTP.
  case owntracks
  /// Overland's batches.
  case overland
  /// The query protocol of OsmAnd and Traccar.
  case osmand
  /// Traccar's JSON.
  case traccar
}
