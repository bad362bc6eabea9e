import HTTPTypes
import WhereaboutsModel

/// The terms of a request that waits for a fix: `accuracy` and `timeout`.
struct FixRequest {
  /// The greatest accuracy that can be asked for, in metres.
  private static let greatestAccuracy = 100_000.0
  /// The longest wait of a request that states none, unless the limit is shorter.
  private static let standardTimeout = Duration.seconds(30)

  /// The required accuracy and age.
  var level: AccuracyLevel
  /// The longest wait.
  var timeout: Duration

  /// Reads the terms.
  ///
  /// - Returns: `nil` if the request does not wait.
  init?(_ query: QueryReader, limit: Duration) throws(Problem) {
    let accuracy = try query.text("accuracy")
    let seconds = try query.number("timeout", in: 0...Double(limit.components.seconds))
    guard accuracy != nil || seconds != nil else { return nil }
    timeout = seconds.map { Duration.seconds($0) } ?? min(Self.standardTimeout, limit)
    guard let accuracy else {
      level = .city
      return
    }
    guard let level = AccuracyLevel.named(accuracy) ?? Self.level(metres: accuracy) else {
      let names = AccuracyLevel.standard.map(\.name).joined(separator: ", ")
      throw Problem(.badRequest, "accuracy must be one of \(names), or metres.")
    }
    self.level = level
  }

  private static func level(metres text: String) -> AccuracyLevel? {
    QueryReader.decimal(text).flatMap { metres in
      metres <= greatestAccuracy ? AccuracyLevel.custom(worstAccuracy: metres, maxAge: .seconds(60)) : nil
    }
  }
}
