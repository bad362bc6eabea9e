/// A vertical axis from nothing up to some value, with round numbers at its ticks.
struct ValueScale {
  /// The value at the top of the axis, a round number above what is shown.
  let top: Double
  /// The value between two ticks.
  let step: Double

  /// An axis that holds values up to one, with four to eight ticks.
  ///
  /// - Parameter greatest: 0 or more.
  init(holding greatest: Double) {
    let wanted = greatest > 0 ? min(greatest, 1e15) * 1.05 : 1
    step = Self.roundNumber(notBelow: wanted / 7)
    top = (wanted / step).rounded(.up) * step
  }

  /// The values of the ticks, the lowest first.
  var ticks: [Double] { (0...Int((top / step).rounded())).map { Double($0) * step } }

  /// A tick's value as text, with as many places as the step has.
  func label(_ value: Double) -> String {
    var places = 0
    var scaled = step
    while scaled < 0.999, places < 6 {
      scaled *= 10
      places += 1
    }
    return value >= 10_000 ? Int(value.rounded()).grouped : value.fixed(places)
  }

  /// 1, 2 or 5 times a power of ten.
  private static func roundNumber(notBelow limit: Double) -> Double {
    let below = MapFrame.roundNumber(notAbove: limit)
    guard below < limit else { return below }
    // What follows 1, 2 and 5 is 2, 5 and 10.
    return MapFrame.roundNumber(notAbove: below * 2.5)
  }
}
