extension [UInt8] {
  /// Appends a number rounded to a number of decimals: `48.85`, `-0.5`, never `-0`.
  ///
  /// Numbers beyond 10^15, infinities and NaN are written as by the standard library.
  mutating func appendFixed(_ value: Double, places: Int) {
    let places = Swift.min(Swift.max(places, 0), 9)
    var scale = 1.0
    for _ in 0..<places { scale *= 10 }
    let scaled = (value.magnitude * scale).rounded()
    guard scaled < 1e15 else {
      append(contentsOf: value.description.utf8)
      return
    }
    if value < 0, scaled > 0 { append(UInt8(ascii: "-")) }
    let digits = String(UInt64(scaled))
    let padded = String(repeating: "0", count: Swift.max(0, places + 1 - digits.utf8.count)) + digits
    append(contentsOf: padded.utf8.dropLast(places))
    if places > 0 {
      append(UInt8(ascii: "."))
      append(contentsOf: padded.utf8.suffix(places))
    }
  }

  /// Appends text.
  mutating func appendText(_ text: some StringProtocol) {
    append(contentsOf: text.utf8)
  }
}

extension Double {
  /// Returns the number rounded to a number of decimals; see ``Array/appendFixed(_:places:)``.
  func fixed(_ places: Int) -> String {
    var bytes: [UInt8] = []
    bytes.appendFixed(self, places: places)
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension Int {
  /// The number with commas between thousands: `1,234,567`.
  var grouped: String {
    let digits = String(magnitude)
    var text = self < 0 ? "-" : ""
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index) % 3 == 0 { text.append(",") }
      text.append(digit)
    }
    return text
  }
}
