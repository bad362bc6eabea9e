import ArgumentParser
import WhereaboutsFormats
import WhereaboutsOperations
import WhereaboutsReports
import WhereaboutsSources

/// A recording to replay as typed: `FILE`, with optional settings such as `?speed=60`.
struct ReplayArgument: Hashable, Sendable {
  /// The path of the recording; `-` for standard input.
  var path: String
  var speed = SpeedArgument.times(1)
  var format: RecordingFormat?
  /// The longest pause between two fixes, in real time; `nil` for no limit.
  var longestPause: Duration?
  var checksums = ChecksumsArgument.required

  /// Parses the text after `replay:`.
  init(_ text: Substring) throws(SourceArgument.ParseError) {
    // A file name may contain a question mark. The text after the last one is settings only if it contains `=`.
    if let mark = text.lastIndex(of: "?"), text[mark...].contains("=") {
      path = String(text[..<mark])
      for setting in text[text.index(after: mark)...].split(separator: "&") { try apply(setting) }
    } else {
      path = String(text)
    }
    guard !path.isEmpty else { throw .noFile }
  }

  private mutating func apply(_ setting: Substring) throws(SourceArgument.ParseError) {
    let parts = setting.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let value = parts.count == 2 ? String(parts[1]) : ""
    switch parts[0] {
    case "speed": speed = try Self.requireValue(SpeedArgument(argument: value), setting)
    case "from": format = try Self.requireValue(InputFormat(argument: value), setting).format
    case "pause": longestPause = try Self.requireValue(DurationArgument(value), setting).duration
    case "checksums": checksums = try Self.requireValue(ChecksumsArgument(argument: value), setting)
    default:
      throw .unknownSetting(String(parts[0]), of: "a replay", known: "speed, pause, from, checksums")
    }
  }

  private static func requireValue<Value>(
    _ value: Value?, _ setting: Substring
  ) throws(SourceArgument.ParseError) -> Value {
    guard let value else { throw .badValue(String(setting)) }
    return value
  }

  /// Seconds of the recording per real second; `nil` if the rate is unknown.
  var playbackRate: Double? {
    guard longestPause == nil, case .times(let times) = speed.replaySpeed else { return nil }
    return times
  }

  /// Returns the recording as a source.
  ///
  /// - Parameters:
  ///   - limit: the time at which the recording ends early.
  ///   - needsTimes: whether the recording fails if most of its fixes have no time.
  ///   - keeping: the store that records the fixes and resumes the recording, if any.
  func source(until limit: TimeLimit?, needsTimes: Bool = false, keeping: RecordingResumer? = nil)
    -> ReplaySource
  {
    let settings = ReadingSettings(
      format: format, acceptsMissingChecksums: checksums == .optional,
      checksumsRemedy: "?checksums=optional behind the file's name")
    return ReplaySource(speed: speed.replaySpeed, longestPause: longestPause) { [path] in
      let reader = try RecordingReader(path: path, settings: settings)
      var feed: any RecordingFeed = reader
      if let keeping { feed = try keeping.remainder(of: feed, atPath: path, name: reader.name, settings) }
      if needsTimes { feed = TimedFixFeed(feed, name: reader.name) }
      return limit.map { TimeLimitedFeed(feed, $0) } ?? feed
    }
  }
}
