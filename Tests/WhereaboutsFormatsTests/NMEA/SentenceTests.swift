import Testing
import WhereaboutsModel
import WhereaboutsGeodesy

@testable import WhereaboutsFormats

extension RMC {
  /// Reads the first sentence of a stream.
  fileprivate init(_ fields: inout FieldReader) {
    var latest = LatestTexts()
    self.init(&fields, latest: &latest)
  }
}

extension GGA {
  /// Reads the first sentence of a stream.
  fileprivate init(_ fields: inout FieldReader) {
    var latest = LatestTexts()
    self.init(&fields, latest: &latest)
  }
}

extension GLL {
  /// Reads the first sentence of a stream.
  fileprivate init(_ fields: inout FieldReader) {
    var latest = LatestTexts()
    self.init(&fields, latest: &latest)
  }
}

extension GNS {
  /// Reads the first sentence of a stream.
  fileprivate init(_ fields: inout FieldReader) {
    var latest = LatestTexts()
    self.init(&fields, latest: &latest)
  }
}

extension GSA {
  /// Reads the first sentence of a stream.
  fileprivate init(_ fields: inout FieldReader) {
    var latest = LatestText<SIMD2<UInt32>, Dilutions>(Dilutions())
    self.init(&fields, latest: &latest)
  }
}

/// One kind of sentence at a time.
@Suite struct SentenceTests {
  /// Reads the body of a sentence after its address.
  private func read<Value>(
    _ body: String, _ read: (inout FieldReader) -> Value
  ) -> (value: Value, problem: InputProblem.Kind?) {
    let bytes = Array("\(body)*".utf8)
    return bytes.withUnsafeBytes { buffer in
      let start = buffer.baseAddress!
      var fields = FieldReader(from: start, to: start + bytes.count - 1)
      return (read(&fields), fields.problem)
    }
  }

  @Test(arguments: [
    ("$GPRMC,1*", "RMC"), ("$GNGGA,1*", "GGA"), ("$GAGLL,1*", "GLL"), ("$GLGNS,1*", "GNS"),
    ("$BDGSA,1*", "GSA"),
    ("$GBGSV,1*", "GSV"), ("$IIVTG,1*", "VTG"), ("$QZGST,1*", "GST"), ("$GIGBS,1*", "GBS"),
    ("$HEHDT,1*", "HDT"),
    ("$HCHDM,1*", "HDM"), ("$APHDG,1*", "HDG"), ("$TIROT,1*", "ROT"), ("$XXZDA,1*", "ZDA"),
    ("$INTHS,1*", "THS"),
    ("$PQGSV,1*", "GSV"), ("$PGRME,1*", "PGRME"), ("$PUBX,00,1*", "PUBX,00"),
    ("$PUBX,04,1*", "PUBX,04"),
  ])
  func anyTalkerIsAccepted(_ text: String, _ name: String) {
    let bytes = Array(text.utf8)
    bytes.withUnsafeBytes { buffer in
      let found = SentenceKind.identify(buffer.baseAddress!, to: buffer.baseAddress! + bytes.count - 1)
      #expect(found?.kind.name == name)
      #expect(found?.fields.load(as: UInt8.self) == UInt8(ascii: "1"))
    }
  }

  @Test(arguments: [
    "$PGRMC,1*", "$PGRMC1,1*", "$GPRMCX,1*", "$GPRM,1*", "$GPRMC*", "$RMC,1*", "$PUBX,01,1*", "$PUBX*",
    "$gprmc,1*", "$GP*",
  ])
  func unknownAddressesAreRefused(_ text: String) {
    let bytes = Array(text.utf8)
    bytes.withUnsafeBytes { buffer in
      #expect(SentenceKind.identify(buffer.baseAddress!, to: buffer.baseAddress! + bytes.count - 1) == nil)
    }
  }

  // MARK: - Positions

  @Test func rmcIsParsed() {
    let (rmc, problem) = read("101112.50,A,4730.0,N,00830.0,W,10.0,359.9,290224,1.5,E,D,V") { RMC(&$0) }
    #expect(problem == nil)
    #expect(rmc.time == TimeOfDay(nanoseconds: 36_672_500_000_000))
    #expect(rmc.isValid)
    #expect(rmc.position == Position(latitude: 47.5, longitude: -8.5))
    #expect(rmc.speed == 18520.0 / 3600)
    #expect(rmc.course == 359.9)
    #expect(rmc.day == CivilDay(year: 2024, month: 2, day: 29))
    #expect(rmc.mode == .differential)
  }

  @Test func rmcOfVersion2HasNoMode() {
    let (rmc, problem) = read("101112,A,4730.0,N,00830.0,W,10.0,,290224,,") { RMC(&$0) }
    #expect(problem == nil)
    #expect(rmc.mode == nil)
    #expect(rmc.course == nil)
    #expect(rmc.position != nil)
  }

  @Test(
    arguments: [
      ("A", true, nil), ("D", true, nil), ("V", false, nil), ("", false, nil), ("X", false, .malformed),
      ("a", false, .malformed),
    ] as [(String, Bool, InputProblem.Kind?)])
  func statusLettersAreMatchedExactly(_ letter: String, _ isValid: Bool, _ problem: InputProblem.Kind?) {
    let read = read("101112,\(letter),4730.0,N,00830.0,W,,,290224,,,A") { RMC(&$0) }
    #expect(read.value.isValid == isValid)
    #expect(read.problem == problem)
  }

  @Test(
    arguments: [
      ("A", .autonomous), ("D", .differential), ("E", .deadReckoning), ("F", .rtkFloat),
      ("M", .fixedPosition),
      ("P", .precise), ("R", .rtkFixed), ("S", .simulated), ("N", nil), ("", nil),
    ] as [(String, Fix.SolutionKind?)])
  func modeLettersDetermineSolutions(_ letter: String, _ solution: Fix.SolutionKind?) {
    #expect(
      read("101112,A,4730.0,N,00830.0,W,,,290224,,,\(letter)") { RMC(&$0) }.value.mode?.solution == solution)
  }

  @Test func unknownModeLetterIsReported() {
    let (rmc, problem) = read("101112,A,4730.0,N,00830.0,W,,,290224,,,x") { RMC(&$0) }
    #expect(rmc.mode == nil)
    #expect(problem == .malformed)
  }

  @Test func ggaIsParsed() {
    let (gga, problem) = read("101112,4730.0,S,00830.0,E,4,14,0.7,-12.5,M,48.1,M,1.0,0123") { GGA(&$0) }
    #expect(problem == nil)
    #expect(gga.time == TimeOfDay(nanoseconds: 36_672_000_000_000))
    #expect(gga.position == Position(latitude: -47.5, longitude: 8.5))
    #expect(gga.quality == .fixedRTK)
    #expect(gga.satellitesUsed == 14)
    #expect(gga.horizontalDilution == 0.7)
    #expect(gga.altitude == -12.5)
    #expect(gga.geoidSeparation == 48.1)
  }

  @Test(
    arguments: [
      ("0", false, nil), ("", false, nil), ("1", true, .autonomous), ("2", true, .differential),
      ("3", true, .precise),
      ("4", true, .rtkFixed), ("5", true, .rtkFloat), ("6", true, .deadReckoning),
      ("7", true, .fixedPosition),
      ("8", true, .simulated), ("9", true, nil),
    ] as [(String, Bool, Fix.SolutionKind?)])
  func qualityDigitsDetermineSolutions(_ digit: String, _ isValid: Bool, _ solution: Fix.SolutionKind?) {
    let gga = read("101112,4730.0,S,00830.0,E,\(digit),,,,,,,,") { GGA(&$0) }.value
    #expect(gga.isValid == isValid)
    #expect(gga.quality?.solution == solution)
  }

  /// The text of receivers for a missing value.
  @Test(arguments: ["", "0.0", "50.0", "99.99", "99.0"]) func placeholderDilutionsAreAbsent(_ text: String) {
    let (gga, problem) = read("101112,4730.0,S,00830.0,E,1,04,\(text),,,,,,") { GGA(&$0) }
    #expect(gga.horizontalDilution == nil)
    #expect(problem == nil)
  }

  @Test func gllIsParsed() {
    let (gll, problem) = read("4730.0,N,00830.0,E,101112,A,D") { GLL(&$0) }
    #expect(problem == nil)
    #expect(gll.position == Position(latitude: 47.5, longitude: 8.5))
    #expect(gll.time != nil)
    #expect(gll.isValid)
    #expect(gll.mode == .differential)
  }

  @Test(
    arguments: [
      ("AN", .autonomous), ("NA", .autonomous), ("NN", .notValid), ("D", .differential), ("RRNN", .fixedRTK),
      ("", nil),
    ] as [(String, ModeIndicator?)])
  func gnsUsesTheFirstSystemWithAFix(_ letters: String, _ mode: ModeIndicator?) {
    let (gns, problem) = read("101112,4730.0,N,00830.0,E,\(letters),13,0.9,400.0,48.0,,,V") { GNS(&$0) }
    #expect(gns.mode == mode)
    #expect(gns.isValid == (mode != nil && mode != .notValid))
    #expect(gns.satellitesUsed == 13)
    #expect(gns.altitude == 400)
    #expect(gns.geoidSeparation == 48)
    #expect(problem == nil)
  }

  // MARK: - Motion, satellites, clock

  @Test(
    arguments: [
      ("84.4,T,,M,36.0,N,66.7,K,A", 84.4, 36 * 1852.0 / 3600), ("84.4,T,82.0,M,,N,36.0,K", 84.4, 10),
      (",T,,M,0.5,N,0.9,K,A", nil, 926.0 / 3600), (",,,,,,,,N", nil, nil),
    ] as [(String, Double?, Double?)])
  func vtgIsParsed(_ body: String, _ course: Double?, _ speed: Double?) {
    let (vtg, problem) = read(body) { VTG(&$0) }
    #expect(vtg.course == course)
    #expect(vtg.speed == speed)
    #expect(problem == nil)
  }

  @Test func gsaIsParsed() {
    let (gsa, problem) = read("A,3,03,22,,19,,,,,,,,,2.5,1.5,2.0,1") { GSA(&$0) }
    #expect(problem == nil)
    #expect(gsa.mode == .threeD)
    #expect(gsa.satelliteCount == 3)
    #expect(gsa.dilutions.position == 2.5)
    #expect(gsa.dilutions.horizontal == 1.5)
    #expect(gsa.dilutions.vertical == 2)
    #expect(gsa.system == 1)
  }

  @Test func gsaMayHave24SatelliteFields() {
    let numbers = "27,23,13,07,25,31,,,,,,,02,05,,,,,,,,,,"
    let (gsa, problem) = read("A,3,\(numbers),7.9,6.0,5.2") { GSA(&$0) }
    #expect(problem == nil)
    #expect(gsa.satelliteCount == 8)
    #expect(gsa.dilutions.position == 7.9)
    #expect(gsa.dilutions.horizontal == 6)
    #expect(gsa.dilutions.vertical == 5.2)
  }

  @Test(
    arguments: [
      ("A,1,,,,", .some(.none)), ("A,E,,,,", nil), ("A,,,", nil), ("M,2,01", .twoD),
    ] as [(String, GSA.Mode?)])
  func shortGSAStillReportsItsMode(_ body: String, _ mode: GSA.Mode?) {
    let (gsa, problem) = read(body) { GSA(&$0) }
    #expect(gsa.mode == mode)
    #expect(problem == nil)
  }

  @Test(
    arguments: [
      ("160012.71,11,03,2004,-1,00", CivilDay(year: 2004, month: 3, day: 11), nil), ("160012,,,,,", nil, nil),
      ("160012,31,02,2004,,", nil, .badTime), ("160012,11,13,2004,,", nil, .badTime),
      ("160012,11,03,0000,,", nil, .badTime),
    ] as [(String, CivilDay?, InputProblem.Kind?)])
  func zdaIsParsed(_ body: String, _ day: CivilDay?, _ problem: InputProblem.Kind?) {
    let read = read(body) { ZDA(&$0) }
    #expect(read.value.time != nil)
    #expect(read.value.day == day)
    #expect(read.problem == problem)
  }

  // MARK: - Headings

  @Test(
    arguments: [
      ("HEHDT,123.4,T", 123.4, .trueNorth), ("HCHDM,0.0,M", 0, .magneticNorth),
      ("INTHS,359.9,A", 359.9, .trueNorth),
      ("HCHDG,100.0,2.0,E,3.0,W", 99, .trueNorth), ("HCHDG,100.0,2.0,W,,", 98, .magneticNorth),
      ("HCHDG,100.0,,,3.0,W", 100, .compassNorth), ("HCHDG,359.0,2.0,E,,", 1, .magneticNorth),
      ("HEHDT,360.0,T", 0, .trueNorth),
    ] as [(String, Double, Heading.Reference)])
  func headingsAreEmitted(_ body: String, _ degrees: Double, _ reference: Heading.Reference) throws {
    let batch = decodeSentences([body])
    let heading = try #require(batch.headings.first)
    #expect(heading.degrees == degrees)
    #expect(heading.reference == reference)
    #expect(batch.problems.total == 0)
  }

  @Test(arguments: [
    ("HEHDT,,T", 0), ("HCHDM,,M", 0), ("INTHS,10.0,V", 0), ("HCHDG,,,,,", 0), ("HEHDT,400,T", 1),
    ("HEHDT,10.0,M", 1),
    ("HEHDT,10.0", 1), ("HCHDG,-5,,,,", 1),
  ])
  func invalidHeadingIsNotEmitted(_ body: String, _ problems: Int) {
    let batch = decodeSentences([body])
    #expect(batch.headings.isEmpty)
    #expect(batch.problems.total == problems)
  }

  @Test func headingsAreOmittedByOption() {
    var options = NMEADecoder.Options()
    options.emitsHeadings = false
    #expect(decodeSentences(["HEHDT,123.4,T"], options: options).elements.isEmpty)
  }

  @Test func rateOfTurnIsRetained() {
    var decoder = NMEADecoder()
    _ = decoder.decodeAll(Array(sentence("TIROT,-12.5,A").utf8))
    #expect(decoder.rateOfTurn == -12.5)
    _ = decoder.decodeAll(Array(sentence("TIROT,3.0,V").utf8))
    #expect(decoder.rateOfTurn == nil)
  }

  // MARK: - Repeated fields

  /// A sentence that differs from the latest one in one byte, or in none, is read as if it were the first.
  @Test func onlyFieldsOfTheSameBytesRepeat() {
    checkRepeats("081836.00,A,4807.03800,N,01131.00000,E,022.4,084.4,130998,,,A") { RMC(&$0, latest: &$1) }
    checkRepeats("081836.00,4807.03800,N,01131.00000,E,1,08,1.01,499.6,M,48.0,M,,0000") {
      GGA(&$0, latest: &$1)
    }
    checkRepeats("A,3,04,05,,09,12,,,24,,,,,2.50,1.30,2.10") { $1.gsa(&$0, talker: .gp) }
    checkRepeats("054.7,T,034.4,M,005.5,N,010.2,K") { $0.repeated(&$1.vtg) { VTG(&$0) } }
    // A list with 24 places.
    checkRepeats("A,3,03,04,05,06,07,08,09,10,11,,,,,,,,,,,,,,,,2.50,1.30,2.10") { $1.gsa(&$0, talker: .gp) }
  }

  private func checkRepeats<Value>(
    _ body: String, _ read: (inout FieldReader, inout LatestTexts) -> Value
  ) {
    let original = Array("\(body)*".utf8)
    func reading(_ bytes: [UInt8], after latest: inout LatestTexts) -> String {
      bytes.withUnsafeBytes { buffer in
        let start = buffer.baseAddress!
        var fields = FieldReader(from: start, to: start + bytes.count - 1)
        let value = read(&fields, &latest)
        return "\(value) \(String(describing: fields.problem)) \(fields.next - start)"
      }
    }
    for index in original.indices.dropLast() {
      for replacement in "059,.AMNW-".utf8 {
        var bytes = original
        bytes[index] = replacement
        var latest = LatestTexts(), none = LatestTexts()
        _ = reading(original, after: &latest)
        let found = reading(bytes, after: &latest)
        #expect(found == reading(bytes, after: &none), "\(String(decoding: bytes, as: UTF8.self))")
      }
    }
  }

  // MARK: - Unreadable sentences

  /// A field that can't be read is reported and absent; the rest of its sentence counts.
  @Test(
    arguments: [
      (SampleSentences.rmc("101112", motion: "abc,90.0"), .badNumber, 1),
      (SampleSentences.rmc("101112", date: "310224"), .badTime, 1),
      (SampleSentences.rmc("101112", place: "4730.0,N,00830.0,Q"), .badCoordinate, 0),
      (SampleSentences.rmc("101112", place: "9130.0,N,00830.0,E"), .badCoordinate, 0),
      (SampleSentences.rmc("251112"), .badTime, 1), (SampleSentences.gga("101112", hdop: "x"), .badNumber, 1),
    ] as [(String, InputProblem.Kind, Int)])
  func malformedFieldIsOneProblem(_ body: String, _ problem: InputProblem.Kind, _ fixes: Int) {
    let batch = decodeSentences([body])
    #expect(batch.problems.counts == [problem: 1])
    #expect(batch.fixes.count == fixes)
  }
}
