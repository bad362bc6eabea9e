/// A gpsd server and an optional device.
package struct GPSDAddress: Hashable, Sendable {
  package static let standardPort = 2947

  package var host = "localhost"
  package var port = Self.standardPort
  /// The path of the device; `nil` for any device of the server.
  package var device: String?

  package init() {}

  /// The shortest argument for this server and device.
  package var name: String {
    guard self != GPSDAddress() else { return "gpsd" }
    let place = host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]" : host
    return "gpsd://\(place)\(port == Self.standardPort ? "" : ":\(port)")\(device ?? "")"
  }

  package var source: GPSDSource { GPSDSource(host: host, port: port, device: device) }

  /// Returns the source with an observer of its devices.
  ///
  /// - Parameter onSecondDevice: called once, when a second device has fixes beside the one whose fixes are used.
  package func observedSource(
    onSecondDevice: @escaping @Sendable (_ used: String, _ other: String) -> Void
  ) -> GPSDSource {
    GPSDSource(
      host: host, port: port, device: device, ownRelay: RelayIdentity.revision,
      onSecondDevice: onSecondDevice)
  }
}
