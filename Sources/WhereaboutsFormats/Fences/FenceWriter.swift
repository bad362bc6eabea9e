public import WhereaboutsCore

/// Writes fences as GeoJSON (RFC 7946), one feature a line. `docs/fences-geojson.md` has the form.
public struct FenceWriter: Hashable, Sendable {
  /// For whom.
  public enum Style: Hashable, Sendable {
    /// For maps and other programs: rings wind as RFC 7946 wants, and edges are told by as many positions as it takes for
    /// them to be straight on a map.
    case interchange
    /// For ``FenceReader``, which makes of it the same fences to the last bit: corners in their own order, and nothing
    /// between them.
    case exact
  }

  /// For whom it is written.
  public var style: Style

  /// A writer.
  public init(style: Style = .interchange) { self.style = style }

  /// A whole collection.
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

  /// Appends one feature, without a line feed: what a line of a file of features is, too.
  public func append(_ fence: Fence, to bytes: inout [UInt8]) {
    bytes.append("{\"type\":\"Feature\",\"id\":")
    bytes.appendJSONString(fence.id.name)
    if style == .exact { bytes.append(",\"edges\":\"geodesic\"") }
    bytes.append(",\"properties\":")
    bytes.putProperties(of: fence)
    bytes.append(",\"geometry\":")
    bytes.appendGeometry(of: fence.area, style: style)
    bytes.append("}")
  }
}
