import WhereaboutsFormats

/// Where fixes come from, as typed: `replay:FILE`, with `?speed=60` after it where that is wanted.
struct SourceArgument: Hashable, Sendable {
  /// The recording, `-` for standard input.
  var path: String
  var speed = SpeedArgument.times(1)
  var format: RecordingFormat?
  /// The longest true time to wait between two fixes; `nil` waits as long as the recording did.
  var longestPause: Duration?

  /// What is wrong with it.
  enum Mistake: Error, Hashable {
    case unknownKind(String)
    case noFile
    case unknownSetting(String)
    case badValue(String)
  }

  /// Reads a source.
  init(_ text: String) throws(Mistake) {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, parts[0] == "replay" else { throw .unknownKind(String(parts[0])) }
    let content = parts[1]
    // A question mark may be part of a file's name: what follows the last one is settings if it looks like them.
    if let mark = content.lastIndex(of: "?"), content[mark...].contains("=") {
      path = String(content[..<mark])
      for setting in content[content.index(after: mark)...].split(separator: "&") { try apply(setting) }
    } else {
      path = String(content)
    }
    guard !path.isEmpty else { throw .noFile }
  }

  private mutating func apply(_ setting: Substring) throws(Mistake) {
    let parts = setting.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let value = parts.count == 2 ? String(parts[1]) : ""
    switch parts[0] {
    case "speed":
      guard let speed = SpeedArgument(argument: value) else { throw .badValue(String(setting)) }
      self.speed = speed
    case "from":
      guard let format = InputFormat(argument: value)?.format else { throw .badValue(String(setting)) }
      self.format = format
    case "pause":
      guard let pause = DurationArgument(value) else { throw .badValue(String(setting)) }
      longestPause = pause.duration
    default:
      throw .unknownSetting(String(parts[0]))
    }
  }
}

extension SourceArgument.Mistake {
  /// What is wrong, for the person who typed it.
  var explanation: String {
    switch self {
    case .unknownKind(let kind): "there is no source '\(kind)'; there is: replay:FILE"
    case .noFile: "replay: names no file"
    case .unknownSetting(let name): "a replay has no setting '\(name)'; it has: speed, pause, from"
    case .badValue(let setting): "'\(setting)' can't be; as in speed=60, speed=max, pause=2s, from=nmea"
    }
  }
}
