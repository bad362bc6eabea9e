package import WhereaboutsFormats

/// A recording to replay by its name: `FILE`, with optional settings such as `?speed=60`.
package struct ReplayName: Hashable, Sendable {
  /// The path of the recording; `-` for standard input.
  package var path: String
  package var speed = ReplaySpeed.times(1)
  package var format: RecordingFormat?
  /// The longest pause between two fixes, in real time; `nil` for no limit.
  package var longestPause: Duration?
  /// Whether NMEA sentences without a checksum are read.
  package var acceptsMissingChecksums = false

  /// Parses the text after `replay:`.
  package init(_ text: Substring) throws(SourceName.ParseError) {
    // A file name may contain a question mark. The text after the last one is settings only if it contains `=`.
    if let mark = text.lastIndex(of: "?"), text[mark...].contains("=") {
      path = String(text[..<mark])
      for setting in text[text.index(after: mark)...].split(separator: "&") { try apply(setting) }
    } else {
      path = String(text)
    }
    guard !path.isEmpty else { throw .noFile }
  }

  private mutating func apply(_ setting: Substring) throws(SourceName.ParseError) {
    let parts = setting.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let value = parts.count == 2 ? String(parts[1]) : ""
    switch parts[0] {
    case "speed": speed = try Self.requireValue(ReplaySpeed(value), setting)
    case "from": format = try Self.requireValue(RecordingFormat(readable: value), setting)
    case "pause": longestPause = try Self.requireValue(DurationText.parse(value, as: .argument), setting)
    case "checksums":
      acceptsMissingChecksums = try Self.requireValue(SourceName.acceptsMissingChecksums(value), setting)
    default:
      throw .unknownSetting(String(parts[0]), of: "a replay", known: "speed, pause, from, checksums")
    }
  }

  private static func requireValue<Value>(
    _ value: Value?, _ setting: Substring
  ) throws(SourceName.ParseError) -> Value {
    guard let value else { throw .badValue(String(setting)) }
    return value
  }

  /// Seconds of the recording per real second; `nil` if the rate is unknown.
  package var playbackRate: Double? {
    guard longestPause == nil, case .times(let times) = speed else { return nil }
    return times
  }
}

extension ReplaySpeed {
  /// Parses a speed: a factor from 0.001 to 1,000,000 such as `60` or `60x`, or `max`; returns `nil` for any other text.
  package init?(_ text: String) {
    if text == "max" {
      self = .asFastAsPossible
      return
    }
    let digits = text.hasSuffix("x") ? text.dropLast() : text[...]
    guard digits.utf8.allSatisfy({ ($0 >= 48 && $0 <= 57) || $0 == UInt8(ascii: ".") }),
      let times = Double(digits),
      times >= 1e-3, times <= 1e6
    else { return nil }
    self = .times(times)
  }
}

extension RecordingFormat {
  /// Creates the format of a name, if it can be read.
  fileprivate init?(readable name: String) {
    guard let format = RecordingFormat(rawValue: name), RecordingFormat.readable.contains(format) else {
      return nil
    }
    self = format
  }
}

extension SourceName {
  /// Parses a rule for checksums, `required` or `optional`; returns `nil` for any other text.
  static func acceptsMissingChecksums(_ text: String) -> Bool? {
    switch text {
    case "required": false
    case "optional": true
    default: nil
    }
  }
}
