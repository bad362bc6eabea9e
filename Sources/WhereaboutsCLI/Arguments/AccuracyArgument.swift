import ArgumentParser
import WhereaboutsModel

/// An accuracy level as typed: `house`, or a length with a maximum age, `25:30s`, `1.5km`.
struct AccuracyArgument: Hashable, Sendable {
  var level: AccuracyLevel

  /// The description of the argument for a command's help.
  static let help: String = """
    Required accuracy: a level, or METRES with an optional maximum age :AGE, as in 25:30s. The levels are room (5 \
    m, 5 s), house (15 m, 15 s), block (100 m, 1 min), neighborhood (1 km, 5 min) and city (5 km, 10 min).
    """

  init(_ level: AccuracyLevel) { self.level = level }

  /// Parses the name of a standard level, or metres with an optional `:AGE`.
  ///
  /// Metres without an age use the age of the most demanding standard level whose radius is no smaller. For example, 10
  /// m use 15 s, the age of `house`.
  init?(_ text: String) {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard let first = parts.first else { return nil }
    let standard = AccuracyLevel.named(first)
    guard parts.count == 2 || standard == nil else {
      level = standard ?? .city
      return
    }
    guard let radius = standard?.worstAccuracy ?? LengthArgument(String(first))?.metres else { return nil }
    let age: Duration
    if parts.count == 2 {
      guard let typed = DurationArgument(String(parts[1])) else { return nil }
      age = typed.duration
    } else {
      let next = AccuracyLevel.standard.first { radius <= $0.worstAccuracy }
      age = (next ?? .city).maxAge
    }
    guard let level = AccuracyLevel.custom(worstAccuracy: radius, maxAge: age) else { return nil }
    self.level = level
  }
}

extension AccuracyArgument: ExplainedArgument {
  static let form =
    "Write a level (room, house, block, neighborhood or city), or metres or kilometres with an optional maximum age, as in 25, 25:30s or 1.5km"

  init?(argument: String) { self.init(argument) }

  static var defaultCompletionKind: CompletionKind { .list(AccuracyLevel.standard.map(\.name)) }
}
