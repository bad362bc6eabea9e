public import WhereaboutsModel

/// A writer of fences as GeoJSON (RFC 7946), one feature a line. `docs/fences-geojson.md` has the form.
public struct FenceWriter: Hashable, Sendable {
  /// The audience of the output.
  public enum Style: Hashable, Sendable {
    /// For maps and other programs: rings wind as in RFC 7946, and edges have enough positions to be straight on a
    /// map.
    case interchange
    /// For ``FenceReader``, which reads the same fences back to the last bit: corners in their own order, without
    /// added positions.
    case exact
  }

  /// The style of the output.
  public var style: Style

  /// Creates a writer with a style.
  public init(style: Style = .interchange) { self.style = style }

  /// Returns a whole collection.
  public func write(_ fences: some Sequence<Fence>) -> [UInt8] {
    var bytes: [UInt8] = []
    write(fences, to: &bytes)
    return bytes
  }

  /// Appends a whole collection.
  public func write(_ fences: some Sequence<Fence>, to bytes: inout [UInt8]) {
    bytes.append("{\"type\":\"FeatureCollection\",\"features\":[\n")
    var isFirst = true
    for fence in fences {
      if !isFirst { bytes.append(",\n") }
      isFirst = false
      append(fence, to: &bytes)
    }
    bytes.append(isFirst ? "]}\n" : "\n]}\n")
  }

  /// Appends one feature, without a line feed; also the form of a line in a file of features.
  public func append(_ fence: Fence, to bytes: inout [UInt8]) {
    bytes.appendJSONObject {
      $0.appendJSONMember("type", text: "Feature")
      $0.appendJSONMember("id", fence.id.name)
      if style == .exact { $0.appendJSONMember("edges", text: "geodesic") }
      $0.appendJSONKey("properties")
      $0.appendJSONProperties(of: fence)
      $0.appendJSONKey("geometry")
      $0.appendGeometry(of: fence.area, style: style)
    }
  }
}
