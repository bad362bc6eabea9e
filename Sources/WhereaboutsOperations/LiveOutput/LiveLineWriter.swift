package import WhereaboutsModel
import WhereaboutsReports

/// A writer that writes each line to standard output immediately and counts the lines.
package struct LiveLineWriter {
  package private(set) var count = 0
  /// Whether the reader has closed the output.
  private(set) var isReaderGone = false
  private let limit: Int?
  private let output: OutputFile

  /// - Parameter limit: the maximum number of lines; `nil` for no limit.
  package init(limit: Int?) throws(CommandError) {
    self.limit = limit
    output = try OutputFile(path: nil, replacing: false)
  }

  /// The number of lines that remain until the limit; `nil` for no limit.
  package var remaining: Int? { limit.map { $0 - count } }

  /// Writes a line.
  ///
  /// - Returns: whether another line can follow; false at the limit or if the reader has closed the output.
  package mutating func write(_ line: (OutputFile) -> Void) throws -> Bool {
    line(output)
    do { try output.flush() } catch is OutputFile.ReaderGoneError {
      isReaderGone = true
      return false
    }
    count += 1
    return remaining != 0
  }

  // MARK: Problems

  /// Reports a problem of the source, or throws if waiting cannot help.
  package static func report(_ problem: SourceProblem) throws(CommandError) {
    let failure = CommandError(problem)
    switch problem.code {
    // Waiting does not repair an unreadable recording or a path that is no receiver.
    case .unreadable, .unusable, .notPermitted, .timedOut: throw failure
    default: StandardError.print("whereabouts: \(failure.message)")
    }
  }

  /// Reports the authorization, or throws if access is refused.
  package static func report(_ authorization: Authorization) throws(CommandError) {
    try reportRefusal(authorization)
    StandardError.print("whereabouts: \(AuthorizationText.sentence(authorization))")
  }

  /// Throws if access is refused.
  static func reportRefusal(_ authorization: Authorization) throws(CommandError) {
    guard authorization.isRefused else { return }
    throw CommandError(AuthorizationText.sentence(authorization), code: .notPermitted)
  }

  /// Reports the number of lost lines.
  package static func report(dropped: Int) {
    guard dropped > 0 else { return }
    StandardError.print(
      """
      whereabouts: \(Quantities.count(dropped, "line was", "lines were")) dropped: too many arrived at once
      """)
  }
}
