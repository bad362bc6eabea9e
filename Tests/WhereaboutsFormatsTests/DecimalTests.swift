import Testing
import WhereaboutsTesting

@testable import WhereaboutsFormats

@Suite struct DecimalTests {
  private func parse(_ text: String) -> Double? {
    Array(text.utf8).withUnsafeBytes { Decimal.parse($0) }
  }

  @Test(arguments: [
    "0", "-0", "+1", "1.", ".5", "48.117300", "-122.3321", "0.000000001", "123456789012345678901234567890",
    "1e3", "-2.5E-3", "4.9406564584124654e-324", "179.999999999999999", "00012.50",
  ])
  func parserAgreesWithTheStandardLibrary(text: String) {
    let expected = Double(text.hasSuffix(".") ? text + "0" : text.hasPrefix(".") ? "0" + text : text)
    #expect(parse(text) == expected)
  }

  @Test(arguments: ["", "+", "-", ".", "1..2", "nan", "inf", "0x10", "1e", " 1", "1 ", "1,5", "--1", "1e999"])
  func refusesInvalidNumbers(text: String) {
    #expect(parse(text) == nil)
  }

  @Test(arguments: [
    (5, "5"), (-0.5, "-0.5"), (48.1173, "48.1173"), (0.1 + 0.2, "0.30000000000000004"), (1e-9, "0.000000001"),
    (123_456_789, "123456789"), (-179.999999999, "-179.999999999"), (0, "0"),
  ])
  func writesTheShortestRoundTrippingText(value: Double, text: String) {
    var bytes: [UInt8] = []
    bytes.appendShortest(value)
    #expect(String(decoding: bytes, as: UTF8.self) == text)
    #expect(parse(text) == value)
  }

  /// Decimals of up to nine places are written as they are.
  @Test(arguments: 1...20 as ClosedRange<UInt64>) func decimalsOfNinePlacesAreWrittenWithoutZerosAtTheEnd(
    seed: UInt64
  ) {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<1000 {
      let whole = Int.random(in: 0..<1_000_000, using: &random)
      let places = Int.random(in: 1...9, using: &random)
      var digits = (0..<places).map { _ in String(Int.random(in: 0...9, using: &random)) }.joined()
      while digits.hasSuffix("0") { digits.removeLast() }
      let isNegative = Bool.random(using: &random)
      let text = (isNegative ? "-" : "") + "\(whole)" + (digits.isEmpty ? "" : "." + digits)
      guard let value = parse(text), value != 0 else { continue }
      var bytes = Array("x".utf8)
      bytes.appendShortest(value)
      #expect(String(decoding: bytes, as: UTF8.self) == "x" + text, "seed \(seed)")
    }
  }

  @Test(arguments: [
    (0, "0"), (7, "7"), (-10, "-10"), (.max, "9223372036854775807"), (.min, "-9223372036854775808"),
  ])
  func wholeNumbersAreWritten(value: Int, text: String) {
    var bytes: [UInt8] = []
    bytes.appendDecimal(value)
    #expect(String(decoding: bytes, as: UTF8.self) == text)
  }

  @Test(arguments: 1...20 as ClosedRange<UInt64>) func anyNumberRoundTrips(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<1000 {
      let value = Double(bitPattern: random.next())
      guard value.isFinite else { continue }
      var bytes: [UInt8] = []
      bytes.appendShortest(value)
      #expect(bytes.withUnsafeBytes { Decimal.parse($0) } == value)
    }
  }
}
