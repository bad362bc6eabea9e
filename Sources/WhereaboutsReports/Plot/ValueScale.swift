/// A vertical axis from 0 up to a value, with round numbers at its ticks.
struct ValueScale {
  /// The value at the top of the axis, a round number above the greatest value.
  let top: Double
  /// The difference between two ticks.
  let step: Double

  /// Creates an axis for values up to the greatest value, with four to eight ticks.
  ///
  /// - Parameter greatest: the greatest value, 0 or more.
  init(holding greatest: Double) {
    let wanted = greatest > 0 ? min(greatest, 1e15) * 1.05 : 1
    step = Self.roundNumber(notBelow: wanted / 7)
    top = (wanted / step).rounded(.up) * step
  }

  /// The values of the ticks in ascending order.
  var ticks: [Double] { (0...Int((top / step).rounded())).map { Double($0) * step } }

  /// Returns a tick's value as text, with as many decimals as the step.
  func label(_ value: Double) -> String {
    var places = 0
    var scaled = step
    while scaled < 0.999, places < 6 {
      scaled *= 10
      places += 1
    }
    return value >= 10_000 ? Int(value.rounded()).grouped : value.fixed(places)
  }

  /// Returns 1, 2 or 5 times a power of ten.
  private static func roundNumber(notBelow limit: Double) -> Double {
    let below = MapFrame.roundNumber(notAbove: limit)
    guard below < limit else { return below }
    // The round number after 1, 2 or 5 is 2, 5 or 10.
    return MapFrame.roundNumber(notAbove: below * 2.5)
  }
}
