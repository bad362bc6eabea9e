import WhereaboutsModel

extension UnsafeRawBufferPointer {
  /// Whether a text of a time states a time of day and no zone, as in `2024-03-01T12:30:05`.
  var statesTimeWithoutZone: Bool {
    guard last?.asciiDigit != nil, let colon = firstIndex(of: UInt8(ascii: ":")) else { return false }
    return !self[colon...].contains { $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "-") }
  }
}
