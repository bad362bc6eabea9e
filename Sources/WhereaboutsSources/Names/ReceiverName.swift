import WhereaboutsSystem

/// An NMEA 0183 receiver by its name: a device, an address or `-`, with settings after a question mark.
package struct ReceiverName: Hashable, Sendable {
  package var port: ReceiverPort
  /// Whether sentences without a checksum are read.
  package var acceptsMissingChecksums = false

  /// Parses the text after `nmea:`.
  package init(_ text: Substring) throws(SourceName.ParseError) {
    var place = text
    var settings: Substring = ""
    if let mark = text.lastIndex(of: "?"), text[mark...].contains("=") {
      (place, settings) = (text[..<mark], text[text.index(after: mark)...])
    }
    var baud: Int?
    for setting in settings.split(separator: "&") {
      let parts = setting.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let value = parts.count == 2 ? String(parts[1]) : ""
      switch parts[0] {
      case "baud":
        guard let given = Int(value), (300...4_000_000).contains(given) else {
          throw .badValue(String(setting))
        }
        baud = given
      case "checksums":
        guard let given = SourceName.acceptsMissingChecksums(value) else { throw .badValue(String(setting)) }
        acceptsMissingChecksums = given
      default:
        throw .unknownSetting(String(parts[0]), of: "a receiver", known: "baud, checksums")
      }
    }
    port = try Self.port(place, baud: baud)
    if baud != nil {
      guard case .serial = port else { throw .badValue("baud=\(baud ?? 0)") }
    }
  }

  private static func port(_ place: Substring, baud: Int?) throws(SourceName.ParseError) -> ReceiverPort {
    switch place {
    case "": throw .noPort
    case "-": return .standardInput
    case _ where place.hasPrefix("tcp:"):
      let address = try HostName(place.dropFirst(4))
      guard !address.host.isEmpty, address.path.count < 2 else { throw .badAddress(String(place)) }
      return .tcp(host: address.host, port: address.port ?? standardPort)
    case _ where place.hasPrefix("udp:"):
      let address = try HostName(place.dropFirst(4))
      guard address.path.count < 2 else { throw .badAddress(String(place)) }
      return .udp(port: address.port ?? standardPort, host: address.host.isEmpty ? nil : address.host)
    default:
      let path = String(place)
      // A pipe has no baud rate.
      return mayBeDevice(path) ? .serial(path: path, baud: baud) : .file(path: path)
    }
  }

  /// Returns whether a path is a device. A missing path may be a device that is plugged in later.
  private static func mayBeDevice(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) != 0 || status.st_mode & S_IFMT == S_IFCHR
  }

  /// The usual port of navigation programs for NMEA over a network.
  private static let standardPort = 10_110

  /// The name of the source over this receiver.
  package var name: String { "nmea:\(port == .standardInput ? "-" : port.description)" }

  package var source: ReceiverSource {
    ReceiverSource(port, acceptsMissingChecksums: acceptsMissingChecksums)
  }
}
