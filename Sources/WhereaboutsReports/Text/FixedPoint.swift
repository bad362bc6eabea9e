import WhereaboutsFormats

extension [UInt8] {
  /// Appends text.
  package mutating func appendText(_ text: some StringProtocol) {
    append(contentsOf: text.utf8)
  }
}

extension Double {
  /// Returns the number rounded to a number of decimals, at most 9: `48.85`, `-0.5`, never `-0`.
  ///
  /// Numbers beyond 10^15 units of the last decimal, infinities and NaN are written as by the standard library.
  package func fixed(_ places: Int) -> String {
    let places = min(max(places, 0), 9)
    let scale = (0..<places).reduce(1.0) { scale, _ in scale * 10 }
    guard (magnitude * scale).rounded() < 1e15 else { return description }
    var bytes: [UInt8] = []
    bytes.appendFixed(self, places: places)
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension Int {
  /// The number with commas between thousands: `1,234,567`.
  package var grouped: String {
    let digits = String(magnitude)
    var text = self < 0 ? "-" : ""
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index) % 3 == 0 { text.append(",") }
      text.append(digit)
    }
    return text
  }
}
