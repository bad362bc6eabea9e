import ArgumentParser
import WhereaboutsOperations
import WhereaboutsSources

/// An NMEA 0183 receiver as typed: a device, an address or `-`, with settings after a question mark.
struct ReceiverArgument: Hashable, Sendable {
  var port: ReceiverPort
  var checksums = ChecksumsArgument.required

  /// Parses the text after `nmea:`.
  init(_ text: Substring) throws(SourceArgument.ParseError) {
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
        guard let given = ChecksumsArgument(argument: value) else { throw .badValue(String(setting)) }
        checksums = given
      default:
        throw .unknownSetting(String(parts[0]), of: "a receiver", known: "baud, checksums")
      }
    }
    port = try Self.port(place, baud: baud)
    if baud != nil {
      guard case .serial = port else { throw .badValue("baud=\(baud ?? 0)") }
    }
  }

  private static func port(_ place: Substring, baud: Int?) throws(SourceArgument.ParseError) -> ReceiverPort {
    switch place {
    case "": throw .noPort
    case "-": return .standardInput
    case _ where place.hasPrefix("tcp:"):
      let address = try HostArgument(place.dropFirst(4))
      guard !address.host.isEmpty, address.path.count < 2 else { throw .badAddress(String(place)) }
      return .tcp(host: address.host, port: address.port ?? standardPort)
    case _ where place.hasPrefix("udp:"):
      let address = try HostArgument(place.dropFirst(4))
      guard address.path.count < 2 else { throw .badAddress(String(place)) }
      return .udp(port: address.port ?? standardPort, host: address.host.isEmpty ? nil : address.host)
    default:
      let path = String(place)
      // A missing path may be a device that is plugged in later. A pipe has no baud rate.
      let isPort = System.status(atPath: path)?.isDevice ?? true
      return isPort ? .serial(path: path, baud: baud) : .file(path: path)
    }
  }

  /// The usual port of navigation programs for NMEA over a network.
  private static let standardPort = 10_110

  /// The argument for this receiver.
  var name: String { "nmea:\(port == .standardInput ? "-" : port.description)" }

  var source: ReceiverSource { ReceiverSource(port, acceptsMissingChecksums: checksums == .optional) }
}
