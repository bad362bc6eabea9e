extension Double {
  /// The number, if it is greater than 0.
  var ifPositive: Double? { self > 0 ? self : nil }
  /// The number, if it is not less than 0.
  var ifNotNegative: Double? { self >= 0 ? self : nil }
}
