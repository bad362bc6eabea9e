import WhereaboutsSources

/// Which gpsd, and which of its devices, as typed: nothing, or `//host:port/device`.
struct GPSDArgument: Hashable, Sendable {
  static let standardPort = 2947

  var host = "localhost"
  var port = Self.standardPort
  /// `nil` for whatever it has.
  var device: String?

  init() {}

  /// Reads what stands behind `gpsd:`.
  init(_ text: Substring) throws(SourceArgument.Mistake) {
    let address = try HostArgument(text)
    if !address.host.isEmpty { host = address.host }
    port = address.port ?? Self.standardPort
    device = address.path.count > 1 ? address.path : nil
  }

  /// As it would be typed, as short as it goes.
  var name: String {
    guard self != GPSDArgument() else { return "gpsd" }
    let place = host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]" : host
    return "gpsd://\(place)\(port == Self.standardPort ? "" : ":\(port)")\(device ?? "")"
  }

  var source: GPSDSource { GPSDSource(host: host, port: port, device: device) }
}
