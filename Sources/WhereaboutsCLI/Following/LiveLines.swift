import WhereaboutsCore

/// Lines on standard output as they come: each is written at once, and counted.
struct LiveLines {
  private(set) var count = 0
  /// Whether nobody reads them any more.
  private(set) var isReaderGone = false
  private let limit: Int?
  private let output: OutputFile

  /// - Parameter limit: how many lines are enough; `nil` for any number.
  init(limit: Int?) throws(CommandFailure) {
    self.limit = limit
    output = try OutputFile(path: nil, replacing: false)
  }

  /// How many more are wanted; `nil` for any number.
  var left: Int? { limit.map { $0 - count } }

  /// Writes a line.
  ///
  /// - Returns: whether another is wanted; not if these were enough, or nobody reads them any more.
  mutating func write(_ line: (OutputFile) -> Void) throws -> Bool {
    line(output)
    do { try output.flush() } catch is OutputFile.ReaderGone {
      isReaderGone = true
      return false
    }
    count += 1
    return left != 0
  }

  // MARK: What keeps them from coming

  /// Says that the source does not deliver, or fails where waiting won't help.
  static func report(_ trouble: SourceTrouble) throws(CommandFailure) {
    let failure = CommandFailure(trouble)
    switch trouble.code {
    // A recording that can't be read won't get better, nor will a folder become a receiver.
    case .unreadable, .unusable, .notPermitted, .timedOut: throw failure
    default: StandardError.say("whereabouts: \(failure.message)")
    }
  }

  /// Says whether fixes may be had, or fails where they may not.
  static func report(_ authorization: Authorization) throws(CommandFailure) {
    try reportRefusal(authorization)
    StandardError.say("whereabouts: \(AuthorizationText.sentence(authorization))")
  }

  /// Fails where fixes may not be had.
  static func reportRefusal(_ authorization: Authorization) throws(CommandFailure) {
    guard authorization.isRefused else { return }
    throw CommandFailure(AuthorizationText.sentence(authorization), code: .notPermitted)
  }

  /// Says that some were lost.
  static func report(dropped: Int) {
    guard dropped > 0 else { return }
    StandardError.say(
      "whereabouts: \(Quantities.count(dropped, "line was", "lines were")) left out: too many came at once")
  }
}
