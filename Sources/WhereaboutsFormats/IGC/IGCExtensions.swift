import WhereaboutsModel

/// The extensions of positions, as an `I` record states them.
struct IGCExtensions {
  private var places: [(code: String, range: Range<Int>)] = []

  init() {}

  /// Reads `I NN SSFFCCC …`: the number of extensions, then the first and the last column of each, and its code.
  init(_ line: UnsafeRawBufferPointer) {
    guard let count = line.digits(1..<3) else { return }
    for index in 0..<count {
      let start = 3 + index * 7
      guard let first = line.digits(start..<start + 2), let last = line.digits(start + 2..<start + 4),
        start + 7 <= line.count, first > IGCPosition.length, first <= last
      else { return }
      let code = String(decoding: line[start + 4..<start + 7], as: UTF8.self)
      places.append((code.uppercased(), first - 1..<last))
    }
  }

  /// Returns the digits of an extension in a position's line, and how many there are.
  func value(_ code: String, in line: UnsafeRawBufferPointer) -> (number: Int, digits: Int)? {
    guard let range = places.first(where: { $0.code == code })?.range, let number = line.digits(range) else {
      return nil
    }
    return (number, range.count)
  }

  /// Sets the values of a fix.
  func complete(_ fix: inout Fix, from line: UnsafeRawBufferPointer) {
    if let accuracy = value("FXA", in: line)?.number, accuracy > 0 {
      // The standard states the error of 95 %. To the centimetre: the multiplication alone would add more digits.
      fix.horizontalAccuracy = (Double(accuracy) * ErrorEstimate.radiusOf95 * 100).rounded() / 100
    }
    if let satellites = value("SIU", in: line)?.number { fix.satellitesUsed = UInt8(exactly: satellites) }
    if let speed = value("GSP", in: line), speed.digits == 3 { fix.speed = Double(speed.number) / 3.6 }
    if let course = value("TRT", in: line), course.digits == 3, course.number <= 360 {
      fix.course = Double(course.number).wrappedDegrees
    }
  }

  /// Returns the further digits of a coordinate's minutes, in thousandths of a minute.
  func fraction(_ code: String, in line: UnsafeRawBufferPointer) -> Double {
    guard let (number, digits) = value(code, in: line), digits < Decimal.exactPowers.count else { return 0 }
    return Double(number) / Decimal.exactPowers[digits]
  }
}
