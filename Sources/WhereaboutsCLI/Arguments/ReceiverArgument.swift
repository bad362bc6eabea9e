import ArgumentParser
import WhereaboutsSources

/// A receiver that speaks NMEA 0183, as typed: a device, an address or `-`, with settings behind a question mark.
struct ReceiverArgument: Hashable, Sendable {
  var port: ReceiverPort
  var checksums = ChecksumsArgument.required

  /// Reads what stands behind `nmea:`.
  init(_ text: Substring) throws(SourceArgument.Mistake) {
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

  private static func port(_ place: Substring, baud: Int?) throws(SourceArgument.Mistake) -> ReceiverPort {
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
      // What is not there yet may be plugged in; a pipe has no speed.
      let isPort = System.status(atPath: path)?.isDevice ?? true
      return isPort ? .serial(path: path, baud: baud) : .file(path: path)
    }
  }

  /// What navigation programs use for NMEA on a network.
  private static let standardPort = 10_110

  /// As it would be typed.
  var name: String { "nmea:\(port == .standardInput ? "-" : port.description)" }

  var source: ReceiverSource { ReceiverSource(port, acceptsMissingChecksums: checksums == .optional) }
}
