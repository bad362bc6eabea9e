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

  /// Up to 17 digits, with a point at any place: at most 15 of them are read in one pass.
  @Test(arguments: 1...20 as ClosedRange<UInt64>) func numbersOfAnyLengthAgreeWithTheStandardLibrary(
    seed: UInt64
  ) {
    var random = SeededGenerator(seed: seed)
    for count in 1...17 {
      for point in count > 15 ? 1..<count : 0..<count + 1 {
        var digits = (0..<count).map { _ in String(Int.random(in: 0...9, using: &random)) }
        digits.insert(".", at: point)
        let sign = ["", "-", "+"].randomElement(using: &random) ?? ""
        let text = sign + digits.joined()
        let expected = Double(sign + "0" + digits.joined() + "0")
        #expect(parse(text) == expected, "\(text), seed \(seed)")
        digits.remove(at: point)
        #expect(parse(sign + digits.joined()) == Double(sign + digits.joined()), "\(text), seed \(seed)")
      }
    }
  }

  @Test(arguments: [0, 1, 9, 10, 99, 100, 9_999, 10_000, 1_000_000, 12_345_678, 90_909_090, 99_999_999])
  func wordHasTheDigitsOfANumber(number: UInt32) {
    let word = WordDigits.digits(number)
    let digits = (0..<8).map { word >> UInt64(8 * $0) & 0xFF }
    #expect(digits.allSatisfy { $0 < 10 } && digits.reduce(0) { $0 * 10 + $1 } == UInt64(number))
    #expect(WordDigits.number(word, count: 8) == UInt64(number))
  }

  @Test(arguments: ["", "+", "-", ".", "1..2", "nan", "inf", "0x10", "1e", " 1", "1 ", "1,5", "--1", "1e999"])
  func refusesInvalidNumbers(text: String) {
    #expect(parse(text) == nil)
  }

  @Test(arguments: [
    (5, "5"), (-0.5, "-0.5"), (48.1173, "48.1173"), (0.1 + 0.2, "0.30000000000000004"), (1e-9, "0.000000001"),
    (123_456_789, "123456789"), (-179.999999999, "-179.999999999"), (0, "0"),
    (10, "10"), (0.1, "0.1"), (999_999.999999999, "999999.999999999"), (-999_999, "-999999"),
    (1_000_000, "1000000"), (100_000.000000001, "100000.000000001"),
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
