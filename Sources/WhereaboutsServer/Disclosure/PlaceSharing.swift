/// The part of a place that readers without a token get, such as those of a broker or of a webhook.
package enum PlaceSharing: Hashable, Sendable {
  /// The names of the fences that the device is in, and no place.
  case zones
  /// The exact place.
  case exact
  /// A place on a grid of this size in metres.
  case grid(Double)
}

extension PlaceSharing {
  /// Reads `zones`, `exact` or the size of a grid.
  init?(_ setting: SettingText) {
    switch setting.text {
    case "zones": self = .zones
    case "exact": self = .exact
    default:
      guard let metres = setting.metres(in: TokenTerms.accuracyCaps) else { return nil }
      self = .grid(metres)
    }
  }
}

extension SettingText {
  /// Returns a length within a range: `500m` or `2km`.
  fileprivate func metres(in range: ClosedRange<Double>) -> Double? {
    let number = text.prefix { $0.isASCII && $0.isNumber }
    guard let value = Double(number), let factor = ["m": 1.0, "km": 1000][text[number.endIndex...]],
      range.contains(value * factor)
    else { return nil }
    return value * factor
  }
}
