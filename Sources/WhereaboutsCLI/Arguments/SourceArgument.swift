/// Where fixes come from, as typed: a kind, a colon, and what that kind needs.
enum SourceArgument: Hashable, Sendable {
  /// `replay:FILE`
  case replay(ReplayArgument)

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
    guard parts.count == 2 else { throw .unknownKind(text) }
    switch parts[0] {
    case "replay": self = .replay(try ReplayArgument(parts[1]))
    default: throw .unknownKind(String(parts[0]))
    }
  }
}

extension SourceArgument.Mistake {
  /// What is wrong, for the person who typed it.
  var explanation: String {
    switch self {
    case .unknownKind(let kind): "there is no source '\(kind)'; there is: replay:FILE"
    case .noFile: "replay: names no file"
    case .unknownSetting(let name): "a replay has no setting '\(name)'; it has: speed, pause, from, checksums"
    case .badValue(let setting):
      "'\(setting)' can't be; as in speed=60, speed=max, pause=2s, from=nmea, checksums=optional"
    }
  }
}
