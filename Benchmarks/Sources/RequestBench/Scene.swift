import WhereaboutsEngine
import WhereaboutsModel
import WhereaboutsGeodesy

func moment(_ milliseconds: Int) -> Moment {
  Moment(instant: Instant(.milliseconds(milliseconds)), wall: nil)
}

/// A fix every 100 ms, each a metre on.
func fixes(_ count: Int, accuracy: Double) -> [Fix] {
  (0..<count).compactMap { index in
    guard let here = Coordinate(latitude: 47 + Double(index) * 9e-6, longitude: 8) else { return nil }
    var fix = Fix(
      coordinate: here, time: UTCTime(nanosecondsSince1970: Int64(index + 1) * 100_000_000), source: .scripted
    )
    fix.horizontalAccuracy = accuracy
    fix.speed = 10
    return fix
  }
}

/// Terms of so many requests, each with its own timeout: of three levels in turn, or each of a level of its own.
func terms(_ count: Int, distinctLevels: Bool = false) -> [RequestTerms] {
  // Levels that a fix of 500 m does not reach and one of 1 m does.
  let levels: [AccuracyLevel] = [.block, .house, .room]
  return (0..<count).map { index in
    let own = AccuracyLevel.custom(worstAccuracy: 2 + Double(index) / 1000, maxAge: .seconds(10))
    return RequestTerms(
      level: (distinctLevels ? own : nil) ?? levels[index % 3], timeout: .seconds(100_000 + index % 7919))
  }
}

/// An engine with its latest effects.
struct Bench {
  var engine = Engine()
  var effects: [Effect] = []

  /// An engine with requests 1 to as many as there are terms.
  init(_ terms: [RequestTerms]) {
    for (index, terms) in terms.enumerated() { process(.request(RequestID(UInt64(index + 1)), terms)) }
    effects = []
  }

  mutating func process(_ input: Input, at milliseconds: Int = 0) {
    effects.removeAll(keepingCapacity: true)
    engine.handle(input, at: moment(milliseconds), into: &effects)
  }

  mutating func process(_ fix: Fix, at milliseconds: Int = 0) {
    process(.signal(.fix(fix, age: .sinceArrival)), at: milliseconds)
  }
}
