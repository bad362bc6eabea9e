import WhereaboutsSources

/// A gpsd server and an optional device as typed: nothing, or `//host:port/device`.
struct GPSDArgument: Hashable, Sendable {
  static let standardPort = 2947

  var host = "localhost"
  var port = Self.standardPort
  /// The path of the device; `nil` for any device of the server.
  var device: String?

  init() {}

  /// Parses the text after `gpsd:`.
  init(_ text: Substring) throws(SourceArgument.ParseError) {
    let address = try HostArgument(text)
    if !address.host.isEmpty { host = address.host }
    port = address.port ?? Self.standardPort
    device = address.path.count > 1 ? address.path : nil
  }

  /// The shortest argument for this server and device.
  var name: String {
    guard self != GPSDArgument() else { return "gpsd" }
    let place = host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]" : host
    return "gpsd://\(place)\(port == Self.standardPort ? "" : ":\(port)")\(device ?? "")"
  }

  var source: GPSDSource { GPSDSource(host: host, port: port, device: device) }
}
