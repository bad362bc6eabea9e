extension [UInt8] {
  /// Appends a number with a fixed number of decimals, for protocols with fixed columns.
  ///
  /// A number that is not finite or too large (2^53 units of the last decimal) is written as 0.
  ///
  /// - Parameters:
  ///   - value: the number.
  ///   - places: the number of decimals, 0 to 9.
  ///   - digits: the least number of digits before the point, filled up with zeros.
  package mutating func appendFixed(_ value: Double, places: Int, digits: Int = 1) {
    var scale = 1
    for _ in 0..<places { scale *= 10 }
    let scaled = (value * Double(scale)).rounded()
    let units = scaled.magnitude < 0x1p53 ? Int(scaled) : 0
    if units < 0 { append(UInt8(ascii: "-")) }
    let (whole, fraction) = Int(units.magnitude).quotientAndRemainder(dividingBy: scale)
    var needed = 1
    var limit = 10
    while whole >= limit, needed < 18 {
      needed += 1
      limit *= 10
    }
    for _ in needed..<Swift.max(digits, needed) { append(48) }
    appendDecimal(whole)
    guard places > 0 else { return }
    append(UInt8(ascii: "."))
    var rest = fraction
    var divisor = scale / 10
    while divisor > 0 {
      append(48 + UInt8(rest / divisor))
      rest %= divisor
      divisor /= 10
    }
  }
}
