import ArgumentParser
import WhereaboutsFormats
import WhereaboutsSources

/// A recording to replay, as typed: `FILE`, with `?speed=60` after it where that is wanted.
struct ReplayArgument: Hashable, Sendable {
  /// The recording, `-` for standard input.
  var path: String
  var speed = SpeedArgument.times(1)
  var format: RecordingFormat?
  /// The longest true time to wait between two fixes; `nil` waits as long as the recording did.
  var longestPause: Duration?
  var checksums = ChecksumsArgument.required

  /// Reads what stands behind `replay:`.
  init(_ text: Substring) throws(SourceArgument.Mistake) {
    // A question mark may be part of a file's name: what follows the last one is settings if it looks like them.
    if let mark = text.lastIndex(of: "?"), text[mark...].contains("=") {
      path = String(text[..<mark])
      for setting in text[text.index(after: mark)...].split(separator: "&") { try apply(setting) }
    } else {
      path = String(text)
    }
    guard !path.isEmpty else { throw .noFile }
  }

  private mutating func apply(_ setting: Substring) throws(SourceArgument.Mistake) {
    let parts = setting.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let value = parts.count == 2 ? String(parts[1]) : ""
    switch parts[0] {
    case "speed": speed = try Self.known(SpeedArgument(argument: value), setting)
    case "from": format = try Self.known(InputFormat(argument: value), setting).format
    case "pause": longestPause = try Self.known(DurationArgument(value), setting).duration
    case "checksums": checksums = try Self.known(ChecksumsArgument(argument: value), setting)
    default:
      throw .unknownSetting(String(parts[0]), of: "a replay", known: "speed, pause, from, checksums")
    }
  }

  private static func known<Value>(
    _ value: Value?, _ setting: Substring
  ) throws(SourceArgument.Mistake) -> Value {
    guard let value else { throw .badValue(String(setting)) }
    return value
  }

  /// How many seconds of the recording pass in a second; `nil` where that is not known.
  var rate: Double? {
    guard longestPause == nil, case .times(let times) = speed.replaySpeed else { return nil }
    return times
  }

  /// The recording as a source.
  ///
  /// - Parameters:
  ///   - limit: where it is to end before its end.
  ///   - needsTimes: whether it is of no use if most of its fixes don't say when they were made.
  ///   - keeping: where it is kept and gone on from, if it is.
  func source(until limit: TimeLimit?, needsTimes: Bool = false, keeping: Keeping? = nil) -> ReplaySource {
    let settings = ReadingSettings(format: format, acceptsMissingChecksums: checksums == .optional)
    return ReplaySource(speed: speed.replaySpeed, longestPause: longestPause) { [path] in
      let reader = try RecordingReader(path: path, settings: settings, showsProgress: false)
      var feed: any RecordingFeed = reader
      if let keeping { feed = try keeping.rest(of: feed, atPath: path, name: reader.name, settings) }
      if needsTimes { feed = TimesRequiredFeed(feed, name: reader.name) }
      return limit.map { TimeLimitedFeed(feed, $0) } ?? feed
    }
  }
}
