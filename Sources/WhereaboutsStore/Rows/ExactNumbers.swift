/// The numbers that a REAL column of SQLite changes: -0 is stored as 0, and NaN as NULL.
///
/// The encoding holds the column number and the bits, nine bytes each, beside the columns. Hardly any row has such
/// numbers.
struct ExactNumbers {
  private let numbers: [Int32: Double]

  var isEmpty: Bool { numbers.isEmpty }

  init(_ bytes: [UInt8]?) {
    guard let bytes else {
      numbers = [:]
      return
    }
    var numbers: [Int32: Double] = [:]
    for start in stride(from: 0, to: bytes.count - 8, by: 9) {
      let bits = bytes[start + 1..<start + 9].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
      numbers[Int32(bytes[start])] = Double(bitPattern: bits)
    }
    self.numbers = numbers
  }

  subscript(column: Int32) -> Double? { numbers[column] }

  /// Returns whether a column would change the value.
  static func isLossy(_ value: Double) -> Bool { value.isNaN || (value == 0 && value.sign == .minus) }

  /// A collector of the values that a column would change.
  struct Writer {
    private(set) var bytes: [UInt8]?

    mutating func append(_ value: Double?, _ column: Int32) {
      guard let value, ExactNumbers.isLossy(value) else { return }
      var bytes = bytes ?? []
      bytes.append(UInt8(truncatingIfNeeded: column))
      for shift in stride(from: 56, through: 0, by: -8) {
        bytes.append(UInt8(truncatingIfNeeded: value.bitPattern >> UInt64(shift)))
      }
      self.bytes = bytes
    }
  }
}
