import WhereaboutsModel

extension UnsafeRawBufferPointer {
  /// Whether a text of a time states a time of day and no zone, as in `2024-03-01T12:30:05` and `3:05 PM`.
  var statesTimeWithoutZone: Bool {
    if let last, last | 0x20 == UInt8(ascii: "m") || last == UInt8(ascii: "."), let text = in24Hours {
      return text.withUnsafeBytes { $0.statesTimeWithoutZone }
    }
    guard last?.asciiDigit != nil, let colon = firstIndex(of: UInt8(ascii: ":")) else { return false }
    return !self[colon...].contains { $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "-") }
  }
}
