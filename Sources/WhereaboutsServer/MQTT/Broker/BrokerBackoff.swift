/// The wait before the next connection to a broker: doubled each time, and spread, so that many servers do not return
/// to a broker at the same instant.
struct BrokerBackoff {
  static let shortest = Duration.milliseconds(500)
  static let longest = Duration.seconds(60)

  private var limit = shortest

  /// Returns the next wait, between half and all of a limit that doubles.
  mutating func next(using random: inout some RandomNumberGenerator) -> Duration {
    defer { limit = min(limit * 2, Self.longest) }
    return limit * Double.random(in: 0.5...1, using: &random)
  }

  /// Begins with the shortest wait again, after a connection that worked.
  mutating func reset() { limit = Self.shortest }
}
