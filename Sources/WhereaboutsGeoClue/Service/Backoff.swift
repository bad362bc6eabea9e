package import WhereaboutsCore

/// How long to wait before trying again: twice as long each time.
package struct Backoff: Sendable {
  private static let shortest = Duration.milliseconds(250)
  private static let longest = Duration.seconds(30)
  /// What may come back at any moment is looked for each second at first.
  private static let longestAtFirst = Duration.seconds(1)
  private static let first = Duration.seconds(600)

  private var pause = shortest
  private var began: Instant?

  package init() {}

  /// The moment of the next try.
  ///
  /// - Parameter isLocal: whether to look each second for the first ten minutes: a try costs next to nothing, and nobody
  ///   tells when it would succeed.
  package mutating func next(after now: Instant, isLocal: Bool) -> Instant {
    let began = began ?? now
    self.began = began
    let longest = isLocal && now.since(began) < Self.first ? Self.longestAtFirst : Self.longest
    defer { pause = min(pause * 2, Self.longest) }
    return now.advanced(by: min(pause, longest))
  }
}
