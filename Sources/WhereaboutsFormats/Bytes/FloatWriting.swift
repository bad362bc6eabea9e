extension [UInt8] {
  /// Appends a short decimal that reads back as the same `Float`; the value must be finite.
  ///
  /// Dilutions of precision have one or two decimals. Up to three are recognised by dividing back, and written in
  /// integer arithmetic. Below 8192 neighbouring values of `Float` are closer than that, so no shorter decimal is
  /// missed.
  package mutating func appendShortest(_ value: Float) {
    assert(value.isFinite)
    let magnitude = Double(value.magnitude)
    let scaled = (magnitude * 1000).rounded()
    guard magnitude < 8192, Float(scaled / 1000) == value.magnitude else {
      return append(contentsOf: value.description.utf8)
    }
    if value < 0 { append(UInt8(ascii: "-")) }
    let (whole, thousandths) = Int(scaled).quotientAndRemainder(dividingBy: 1000)
    appendDecimal(whole)
    guard thousandths > 0 else { return }
    append(UInt8(ascii: "."))
    append(48 + UInt8(truncatingIfNeeded: thousandths / 100))
    if thousandths % 100 > 0 { append(48 + UInt8(truncatingIfNeeded: thousandths / 10 % 10)) }
    if thousandths % 10 > 0 { append(48 + UInt8(truncatingIfNeeded: thousandths % 10)) }
  }

  /// Appends a constant text.
  package mutating func append(_ text: StaticString) {
    append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }
}
