import Testing
import WhereaboutsModel
import WhereaboutsGeodesy
import WhereaboutsTesting

@testable import WhereaboutsFormats

@Suite struct FieldTests {
  /// Reads one field (or two) that stand in front of others.
  private func read<Value>(
    _ text: String, _ body: (inout FieldReader) -> Value
  ) -> (value: Value, problem: InputProblem.Kind?, rest: String) {
    let bytes = Array("\(text),rest*".utf8)
    return bytes.withUnsafeBytes { buffer in
      let start = buffer.baseAddress ?? UnsafeRawPointer(bitPattern: 1)
      var fields = FieldReader(from: start!, to: start! + bytes.count - 1)
      let value = body(&fields)
      let rest = UnsafeRawBufferPointer(start: fields.next, count: max(0, fields.end - fields.next))
      return (value, fields.problem, String(decoding: rest, as: UTF8.self))
    }
  }

  @Test(
    arguments: [
      ("0", 0.0), ("12", 12), ("012.50", 12.5), ("-3.25", -3.25), (".5", 0.5), ("7.", 7), ("+4", 4),
      (" 12.5", 12.5),
      ("12.5 ", 12.5), ("123456789012.345678901", 123456789012.345678901), ("-0", 0),
    ] as [(String, Double)])
  func numbersAreParsed(_ text: String, _ value: Double) {
    let field = read(text) { $0.number() }
    #expect(field.value == value)
    #expect(field.problem == nil)
    #expect(field.rest == "rest")
  }

  @Test(arguments: ["", " ", "  "]) func emptyFieldIsAbsent(_ text: String) {
    let field = read(text) { $0.number() }
    #expect(field.value == nil)
    #expect(field.problem == nil)
    #expect(field.rest == "rest")
  }

  @Test(arguments: ["x", "1x", "1.2.3", "-", ".", "--1", "1-", "1e999", "0x10", "nan", "1 2", "12:30"])
  func invalidNumberIsReported(_ text: String) {
    let field = read(text) { $0.number() }
    #expect(field.value == nil)
    #expect(field.problem == .badNumber)
    #expect(field.rest == "rest")
  }

  @Test(arguments: [("0", 0), ("08", 8), ("123456789", 123_456_789), ("1234567890", 1_234_567_890)])
  func integersAreParsed(_ text: String, _ value: Int) {
    let field = read(text) { $0.integer() }
    #expect(field.value == value)
    #expect(field.rest == "rest")
  }

  @Test(arguments: ["-1", "1.5", "99999999999999999999", "a"])
  func invalidIntegerIsReported(_ text: String) {
    let field = read(text) { $0.integer() }
    #expect(field.value == nil)
    #expect(field.problem == .badNumber)
    #expect(field.rest == "rest")
  }

  // MARK: - Places

  @Test(
    arguments: [
      ("4807.038,N", 48.1173), ("4807.038,S", -48.1173), ("0000.000,N", 0), ("0000.000,S", 0),
      ("9000.0,N", 90),
      ("0.5,N", 0.5 / 60), ("4730,N", 47.5), ("4730.,N", 47.5), ("4730.00000000001,N", 47.5 + 1e-11 / 60),
      ("4730.0000000000000000001,N", 47.5),
    ] as [(String, Double)])
  func latitudesAreParsed(_ text: String, _ degrees: Double) {
    let field = read(text) { $0.latitude() }
    #expect(field.value == degrees)
    #expect(field.problem == nil)
    #expect(field.rest == "rest")
  }

  @Test(arguments: [
    ("01131.324,E", 11.522066666666667), ("18000.0,W", -180), ("12311.12,W", -123.18533333333333),
  ])
  func longitudesAreParsed(_ text: String, _ degrees: Double) {
    #expect(read(text) { $0.longitude() }.value == degrees)
  }

  /// Zeros without letters are what many receivers send for "unknown".
  @Test(arguments: [",", ",N", "4807.038,", "0000.0000,"]) func incompleteLatitudeIsAbsent(_ text: String) {
    let field = read(text) { $0.latitude() }
    #expect(field.value == nil)
    #expect(field.problem == nil)
    #expect(field.rest == "rest")
  }

  @Test(arguments: [
    "4807.038,E", "4807.038,X", "4807.038,n", "4860.0,N", "4899.9,N", "9000.001,N", "9100.0,N", "-4807.0,N",
    "48:07.0,N", "480738.0000,N", "1e2,N",
  ])
  func invalidLatitudeIsReported(_ text: String) {
    let field = read(text) { $0.latitude() }
    #expect(field.value == nil)
    #expect(field.problem != nil)
    #expect(field.rest == "rest")
  }

  @Test(arguments: 1...50 as ClosedRange<UInt64>) func anglesAreCorrectlyRounded(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<100 {
      let degrees = Int.random(in: 0...179, using: &random), minutes = Int.random(in: 0...59, using: &random)
      let digits = Int.random(in: 0...9, using: &random)
      var fraction = ""
      for _ in 0..<digits { fraction += String(Int.random(in: 0...9, using: &random)) }
      let text = String(degrees * 100 + minutes) + (digits == 0 ? "" : "." + fraction)
      let exact =
        (Double("\(degrees * 60 + minutes)\(fraction)") ?? .nan) / Double(
          "60" + String(repeating: "0", count: digits))!
      #expect(read(text + ",E") { $0.longitude() }.value == exact, "\(text)")
    }
  }

  // MARK: - Times and dates

  @Test(
    arguments: [
      ("000000", 0), ("101112", 36_672_000_000_000), ("101112.5", 36_672_500_000_000),
      ("101112.123456789", 36_672_123_456_789), ("101112.1234567891", 36_672_123_456_789),
      ("101112.", 36_672_000_000_000),
      ("235959.999", 86_399_999_000_000), ("235960", 86_400_000_000_000), ("235960.5", 86_400_500_000_000),
    ] as [(String, Int64)])
  func timesAreParsed(_ text: String, _ nanoseconds: Int64) {
    let field = read(text) { $0.timeOfDay() }
    #expect(field.value?.nanoseconds == nanoseconds)
    #expect(field.problem == nil)
    #expect(field.rest == "rest")
  }

  @Test(arguments: [
    "240000", "106000", "101161", "1011", "10111", "10:11:12", "10111x", "101112x", "101112.x", "-10112",
  ])
  func invalidTimeIsReported(_ text: String) {
    let field = read(text) { $0.timeOfDay() }
    #expect(field.value == nil)
    #expect(field.problem == .badTime)
    #expect(field.rest == "rest")
  }

  @Test(arguments: [
    ("010270", 31), ("010100", 10957), ("290224", 19782), ("311268", 36159), ("010169", -365),
    ("311299", 10956),
  ])
  func twoDigitYearsBelow69AreOfThisCentury(_ text: String, _ days: Int) {
    #expect(read(text) { $0.date() }.value?.daysSince1970 == days)
  }

  @Test(arguments: ["000124", "320124", "290223", "011324", "0101", "01012024", "0101-1", "xx0124"])
  func invalidDateIsReported(_ text: String) {
    let field = read(text) { $0.date() }
    #expect(field.value == nil)
    #expect(field.problem == .badTime)
    #expect(field.rest == "rest")
  }

  /// A position that differs from the latest one in any byte is read, and an equal one is the same.
  @Test(arguments: [
    "4807.0,N,01131.0,E", "4807.038,N,01131.123,E", "4807.03812,S,01131.12345,W",
    "4807.0381234,N,01131.1234567,E",
  ])
  func onlyAPositionOfTheSameBytesRepeats(_ text: String) {
    func position(
      _ text: String, after latest: LatestTexts = LatestTexts()
    ) -> (Position?, String, LatestTexts) {
      var latest = latest
      let field = read(text) { $0.repeated(&latest.position) { $0.position() } }
      return (field.value, field.rest, latest)
    }
    let (first, rest, latest) = position(text)
    #expect(first != nil)
    let (repeated, restOfRepeated, _) = position(text, after: latest)
    #expect(repeated == first)
    #expect(restOfRepeated == rest)
    let bytes = Array(text.utf8)
    for index in bytes.indices {
      for replacement in "05,.NSEW-".utf8 {
        var other = bytes
        other[index] = replacement
        let changed = String(decoding: other, as: UTF8.self)
        let (found, restOfFound, _) = position(changed, after: latest)
        let (expected, restOfExpected, _) = position(changed)
        #expect(found == expected, "\(changed)")
        #expect(restOfFound == restOfExpected, "\(changed)")
      }
    }
  }

  // MARK: - Words

  /// The fields of a sentence as read.
  private struct Reading: Equatable {
    var values: [Double?]
    var problem: InputProblem.Kind?
    /// The number of bytes read.
    var length: Int

    init(_ text: String, before rest: String, _ body: (inout FieldReader) -> [Double?]) {
      let bytes = Array("\(text),\(rest)*".utf8)
      (values, problem, length) = bytes.withUnsafeBytes { buffer in
        let start = buffer.baseAddress ?? UnsafeRawPointer(bitPattern: 1)
        var fields = FieldReader(from: start!, to: start! + bytes.count - 1)
        return (body(&fields), fields.problem, fields.next - start!)
      }
    }
  }

  /// Within the last bytes of a sentence fields are read byte by byte, before them a word at a time.
  @Test(arguments: PropertyCases.seeds(5, of: 1...20 as ClosedRange<UInt64>))
  func fieldsReadAlikeByWordsAndByBytes(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let readers: [(String, [String], (inout FieldReader) -> [Double?])] = [
      ("number", ["12.5", "0", ".5", "-3.25", "99.99", "1234567", "12345678", ""], { [$0.number()] }),
      (
        "time", ["081836", "081836.75", "235960.000", "246000", "0818367"],
        {
          [$0.timeOfDay().map { Double($0.nanoseconds) }]
        }
      ),
      (
        "date", ["130998", "290200", "290201", "311169", "000000"],
        {
          [$0.date().map { Double($0.daysSince1970) }]
        }
      ),
      (
        "latitude", ["4807.038,N", "4807.03812,S", "9000.0,N", "4860.0,N", "4807,N", ",N"],
        { [$0.latitude()] }
      ),
      ("longitude", ["01131.000,E", "17959.9999999,W", "18000.1,E", "1131.5,E", ","], { [$0.longitude()] }),
      (
        "list", ["3,1,11", "1,1,00", "2,2,5", "10,1,40", "3,,11"],
        {
          let list = GSV(&$0)
          return [list.total, list.index, list.satelliteCount].map { $0.map(Double.init) }
        }
      ),
      (
        "satellites", ["04,05,,09,12,,,24,,,,", ",,,,,,,,,,,", "4,105,,,,,,,,,,"],
        { [Double($0.countFilled(of: 12))] }
      ),
    ]
    let other = Array("0123456789.,-+ EN".utf8) + [0x80, 0xBA, 0xFF]
    for (name, texts, read) in readers {
      for _ in 0..<300 {
        var bytes = Array(texts.randomElement(using: &random)!.utf8)
        for _ in 0..<Int.random(in: 0...2, using: &random) where !bytes.isEmpty {
          bytes[Int.random(in: 0..<bytes.count, using: &random)] = other.randomElement(using: &random)!
        }
        let text = String(decoding: bytes, as: UTF8.self)
        let byBytes = Reading(text, before: "", read)
        let byWords = Reading(text, before: ",0,1234567890,1234567890", read)
        // A text with fewer fields than are read continues into the following bytes.
        guard byBytes.length <= text.utf8.count + 1, byWords.length <= text.utf8.count + 1 else { continue }
        #expect(byBytes == byWords, "\(name) of '\(text)', seed \(seed)")
      }
    }
  }

  /// The calendar of two-digit years is that of the model.
  @Test func datesAreThoseOfTheCalendar() {
    for year in 0..<100 {
      for month in 0...13 {
        for day in 0...32 {
          let full = year < 69 ? 2000 + year : 1900 + year
          #expect(
            CivilDay(twoDigitYear: year, month: month, day: day)
              == CivilDay(year: full, month: month, day: day))
        }
      }
    }
  }

  // MARK: - Letters

  @Test func letterIsOneByte() {
    #expect(read("A") { $0.letter() }.value == UInt8(ascii: "A"))
    #expect(read("") { $0.letter() }.value == nil)
    let long = read("AB") { $0.letter() }
    #expect(long.value == nil)
    #expect(long.problem == .malformed)
    #expect(long.rest == "rest")
  }

  @Test func readingStopsAtTheLastField() {
    let bytes = Array("1*".utf8)
    bytes.withUnsafeBytes { buffer in
      guard let start = buffer.baseAddress else { return }
      var fields = FieldReader(from: start, to: start + 1)
      #expect(fields.number() == 1)
      #expect(fields.isExhausted)
      #expect(fields.number() == nil)
      #expect(fields.integer() == nil)
      #expect(fields.letter() == nil)
      #expect(fields.text() == nil)
      #expect(fields.timeOfDay() == nil)
      #expect(fields.date() == nil)
      #expect(fields.position() == nil)
      #expect(fields.problem == nil)
    }
  }
}
