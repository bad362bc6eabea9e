import Testing
import WhereaboutsModel
import WhereaboutsGeodesy

@testable import WhereaboutsFormats

/// The fix of all sentences of one instant.
@Suite struct EpochTests {
  @Test func sentencesOfOneEpochAreOneFix() throws {
    let batch = decodeSentences([
      SampleSentences.rmc("101112.50"), "GPVTG,91.0,T,,M,11.0,N,20.4,K,A",
      SampleSentences.gga("101112.50", quality: "2"),
      SampleSentences.gsa("3"),
      "GPGSV,2,1,06,01,10,100,40,02,20,200,41,03,30,300,42,04,40,040,43",
      "GPGSV,2,2,06,05,50,050,,06,60,060,",
    ])
    #expect(batch.fixes.count == 1)
    #expect(batch.problems.total == 0)
    let fix = try #require(batch.fixes.first)
    #expect(fix.time?.iso8601 == "2024-02-01T10:11:12.500Z")
    #expect(fix.coordinate.latitude == 47.5)
    #expect(fix.coordinate.longitude == 8.5)
    #expect(fix.speed == 10 * 1852.0 / 3600)
    #expect(fix.course == 90)
    #expect(fix.mode == .threeD)
    #expect(fix.solution == .differential)
    #expect(fix.heightAboveGeoid == 400)
    #expect(fix.heightAboveEllipsoid == 448)
    #expect(fix.geoidSeparation == 48)
    #expect(fix.satellitesUsed == 8)
    #expect(fix.satellitesInView == 6)
    #expect(fix.horizontalDilution == 0.9)
    #expect(fix.verticalDilution == 1.5)
    #expect(fix.positionDilution == 1.8)
    #expect(fix.source == .nmea)
    #expect(!fix.isSimulated)
  }

  @Test func lastPositionOfAnEpochCounts() {
    let other = "4731.00000,N,00831.00000,E"
    let rmcLast = decodeSentences([
      SampleSentences.gga("101112", place: other), SampleSentences.rmc("101112"),
    ])
    #expect(rmcLast.fixes.map(\.coordinate.latitude) == [47.5])
    let ggaLast = decodeSentences([
      SampleSentences.rmc("101112"), SampleSentences.gga("101112", place: other),
    ])
    #expect(ggaLast.fixes.map(\.coordinate.latitude) == [47 + 31.0 / 60])
  }

  /// VTG has no time. In a cycle that begins with it, it comes after the RMC of the instant before.
  @Test func speedOfRMCCountsMoreThanThatOfVTG() {
    func vtg(_ second: Int) -> String { "GPVTG,\(90 + second).0,T,,M,\(second).0,N,,K,A" }
    for isVTGFirst in [true, false] {
      let batch = decodeSentences(
        (10...12).flatMap { second -> [String] in
          let others = [
            SampleSentences.gga("1011\(second)"),
            SampleSentences.rmc("1011\(second)", motion: "\(second).0,\(90 + second).0"),
          ]
          return isVTGFirst ? [vtg(second)] + others : others + [vtg(second)]
        })
      let speeds: [Double?] = [10 * 1852.0 / 3600, 11 * 1852.0 / 3600, 12 * 1852.0 / 3600]
      #expect(batch.fixes.map(\.speed) == speeds, "\(isVTGFirst)")
      #expect(batch.fixes.map(\.course) == [100, 101, 102], "\(isVTGFirst)")
    }
  }

  /// The speed in knots is the second of the instant.
  private static func vtg(_ second: Int, mode: String = "A") -> String {
    "GPVTG,\(90 + second).0,T,,M,\(second).0,N,,K,\(mode)"
  }

  private static func gga(_ second: Int, quality: String = "1") -> String {
    SampleSentences.gga("1011\(second)", quality: quality)
  }

  private static func gll(_ second: Int) -> String { SampleSentences.gll("1011\(second)") }

  /// Sentences, and the seconds of the fixes' speeds.
  private static let cyclesWithoutRMC: [([String], [Int])] = [
    // A u-blox receiver without RMC.
    ([vtg(10), gga(10), vtg(11), gga(11), vtg(12), gga(12)], [10, 11, 12]),
    ([vtg(10), gga(10), vtg(11), gga(11), vtg(12)], [10, 11]),
    (["GPTXT,01,01,02,start", vtg(10), gga(10), vtg(11), gga(11)], [10, 11]),
    ([vtg(10, mode: "N"), gga(10, quality: "0"), vtg(11), gga(11), vtg(12), gga(12)], [11, 12]),
    // Without a time at first.
    (
      [
        "GPVTG,,,,,,,,,N", "GPGGA,,,,,,0,00,99.99,,,,,,", "GPVTG,,,,,,,,,N", "GPGGA,,,,,,0,00,99.99,,,,,,",
        vtg(10), gga(10), vtg(11), gga(11), vtg(12), gga(12),
      ], [10, 11, 12]
    ),
    ([gga(10), vtg(10), gga(11), vtg(11), gga(12), vtg(12)], [10, 11, 12]),
    ([SampleSentences.gsa("3"), vtg(10), gga(11), vtg(11), gga(12), vtg(12)], [11, 12]),
    (
      [
        vtg(10), SampleSentences.gsa("3"), gga(11), vtg(11), SampleSentences.gsa("3"), gga(12), vtg(12),
        SampleSentences.gsa("3"),
      ], [11, 12]
    ),
    // Between two sentences of an instant it is of that instant.
    ([vtg(10), gga(10), vtg(10), gll(10), gga(11), vtg(11), gll(11)], [10, 11]),
  ]

  /// Without RMC, only the beginning of the stream shows whether VTG comes first or last.
  @Test(arguments: cyclesWithoutRMC)
  func speedOfVTGIsThatOfItsInstant(_ bodies: [String], _ seconds: [Int]) {
    let batch = decodeSentences(bodies)
    #expect(batch.problems.total == 0)
    let speeds: [Double?] = seconds.map { Double($0) * 1852 / 3600 }
    let courses: [Double?] = seconds.map { 90 + Double($0) }
    #expect(batch.fixes.map(\.speed) == speeds)
    #expect(batch.fixes.map(\.course) == courses)
  }

  /// A stream that begins within a sentence may begin anywhere in the cycle.
  @Test func streamFromWithinASentenceDoesNotShowThatVTGIsFirst() {
    let cycles = (11...13).map { sentence(SampleSentences.gga("1011\($0)")) + sentence(Self.vtg($0)) }
    let batch = decodeNMEA("M,48.0,M,,*5C\r\n" + sentence(Self.vtg(10)) + cycles.joined())
    #expect(batch.fixes.map(\.course) == [101, 102, 103])
  }

  @Test(arguments: [
    [SampleSentences.rmc("101112", motion: ","), "GPVTG,91.0,T,,M,11.0,N,20.4,K,A"],
    [SampleSentences.gga("101112"), "GPVTG,91.0,T,,M,11.0,N,20.4,K,A"],
    ["GPVTG,91.0,T,,M,11.0,N,20.4,K,A", SampleSentences.rmc("101112", motion: ",")],
  ])
  func speedOfVTGCountsWithoutAnother(_ bodies: [String]) {
    let fixes = decodeSentences(bodies).fixes
    #expect(fixes.count == 1 && fixes.first?.course == 91)
    #expect(fixes.first?.speed == 11 * 1852.0 / 3600)
  }

  @Test func anotherTimeStartsAnotherFix() {
    let batch = decodeSentences([
      SampleSentences.rmc("101112"), SampleSentences.gga("101113"), SampleSentences.gll("101114"),
    ])
    #expect(batch.fixes.count == 3)
  }

  @Test func differentlyRoundedTimesAreOneEpoch() {
    let batch = decodeSentences([
      SampleSentences.rmc("101112.30"), SampleSentences.gll("101112.303"), SampleSentences.gga("101112.295"),
    ])
    #expect(batch.fixes.count == 1)
    #expect(
      decodeSentences([SampleSentences.rmc("101112.30"), SampleSentences.gga("101112.31")]).fixes.count == 2)
  }

  @Test func repeatedSentenceTypeStartsANewFixWithoutTimes() {
    let batch = decodeSentences([
      SampleSentences.gll(""), SampleSentences.gga(""), SampleSentences.gll(""), SampleSentences.gga(""),
    ])
    #expect(batch.fixes.count == 2)
    #expect(batch.fixes.allSatisfy { $0.time == nil && $0.heightAboveGeoid == 400 })
  }

  @Test func sentencesOfSeveralTalkersAreOneFix() {
    let bodies = [
      SampleSentences.gga("101112"), SampleSentences.gga("101112").replacing("GPGGA", with: "GLGGA"),
      SampleSentences.rmc("101112"),
    ]
    #expect(decodeSentences(bodies).fixes.count == 1)
  }

  @Test func zeroCourseAndZeroSpeedAreValid() throws {
    let fix = try #require(decodeSentences([SampleSentences.rmc("101112", motion: "0.0,0.0")]).fixes.first)
    #expect(fix.speed == 0)
    #expect(fix.course == 0)
    let silent = try #require(decodeSentences([SampleSentences.rmc("101112", motion: ",")]).fixes.first)
    #expect(silent.speed == nil)
    #expect(silent.course == nil)
  }

  @Test func equatorAndPrimeMeridianAreValidPlaces() throws {
    let fix = try #require(
      decodeSentences([SampleSentences.rmc("101112", place: "0000.0,N,00000.0,E")]).fixes.first)
    #expect(fix.coordinate == Coordinate(latitude: 0, longitude: 0))
  }

  @Test func missingHeightIsAbsent() throws {
    let fix = try #require(decodeSentences([SampleSentences.gga("101112", height: ",M,,M")]).fixes.first)
    #expect(fix.heightAboveGeoid == nil)
    #expect(fix.heightAboveEllipsoid == nil)
    let noGeoid = try #require(
      decodeSentences([SampleSentences.gga("101112", height: "400,M,,M")]).fixes.first)
    #expect(noGeoid.heightAboveGeoid == 400)
    #expect(noGeoid.heightAboveEllipsoid == nil)
  }

  // MARK: - No fix

  /// Receivers without a fix repeat their last position, with one of these signs that they have none.
  @Test(arguments: [
    [SampleSentences.rmc("101112", status: "V")], [SampleSentences.rmc("101112", mode: "N")],
    [SampleSentences.rmc("101112", status: "")],
    [SampleSentences.gga("101112", quality: "0")], [SampleSentences.gga("101112", quality: "")],
    [SampleSentences.gll("101112", status: "V")], [SampleSentences.gll("101112", mode: "N")],
    ["GPGNS,101112,\(SampleSentences.place),NN,00,,400.0,48.0,,"],
    [SampleSentences.rmc("101112"), SampleSentences.gga("101112", quality: "0")],
    [SampleSentences.gga("101112"), SampleSentences.rmc("101112", status: "V")],
    [SampleSentences.gga("101112"), SampleSentences.gsa("1")],
    [SampleSentences.rmc("101112"), SampleSentences.gga("101112"), SampleSentences.gsa("1")],
    [SampleSentences.rmc("101112", place: ",,,")], [SampleSentences.rmc("101112", place: "0000.0,,00000.0,")],
    ["GPVTG,91.0,T,,M,11.0,N,20.4,K,A"], [SampleSentences.gsa("3")],
    ["PUBX,00,101112,\(SampleSentences.place),448.0,NF,5.0,9.0,,,,,,,,,,"],
  ])
  func latchedPositionsAreIgnored(_ bodies: [String]) {
    let batch = decodeSentences(bodies)
    #expect(batch.fixes.isEmpty)
    #expect(batch.problems.total == 0)
  }

  @Test(arguments: [("00", 0), ("02", 0), ("03", 1), ("", 1)]) func tooFewSatellitesNeedConfirmation(
    used: String, fixes: Int
  ) {
    #expect(decodeSentences([SampleSentences.gga("101112", used: used)]).fixes.count == fixes)
    #expect(
      decodeSentences([SampleSentences.gga("101112", used: used), SampleSentences.rmc("101112")]).fixes.count
        == 1)
    #expect(
      decodeSentences([SampleSentences.gga("101112", used: used), SampleSentences.gsa("2")]).fixes.count == 1)
  }

  @Test func fixesResumeWithTheNextValidEpoch() {
    let batch = decodeSentences([
      SampleSentences.rmc("101112"), SampleSentences.rmc("101113", status: "V"),
      SampleSentences.rmc("101114", status: "V"),
      SampleSentences.rmc("101115"),
    ])
    #expect(batch.fixes.map { $0.time?.civil.second } == [12, 15])
  }

  /// Its clock may stand still as well.
  @Test func repeatedEpochDoesNotWithdrawAFix() {
    let batch = decodeSentences([
      SampleSentences.gga("101112"), SampleSentences.gga("101112", quality: "0"),
      SampleSentences.gga("101112", quality: "0"),
    ])
    #expect(batch.fixes.count == 1)
  }

  @Test func stuckReceiverYieldsOneFix() {
    #expect(decodeSentences(Array(repeating: SampleSentences.gga("101112"), count: 9)).fixes.count == 1)
    var decoder = NMEADecoder(), batch = RecordingBatch()
    decoder.decode(
      Array(repeating: sentence(SampleSentences.gga("101112")), count: 9).flatMap { Array($0.utf8) },
      into: &batch)
    #expect(decoder.statistics.repeatedPositions == 8)
  }

  @Test func unusedSystemsDoNotInvalidateTheSolution() throws {
    let batch = decodeSentences([
      SampleSentences.rmc("101112"), SampleSentences.gsa("3", talker: "GN"),
      SampleSentences.gsa("1", talker: "GN"),
    ])
    #expect(batch.fixes.map(\.mode) == [.threeD])
    let reversed = decodeSentences([
      SampleSentences.rmc("101112"), SampleSentences.gsa("1", talker: "GN"),
      SampleSentences.gsa("2", talker: "GN"),
    ])
    #expect(reversed.fixes.map(\.mode) == [.twoD])
  }

  // MARK: - Mode and solution

  @Test(
    arguments: [
      ([SampleSentences.rmc("101112")], .twoD),
      ([SampleSentences.rmc("101112"), SampleSentences.gsa("2")], .twoD),
      ([SampleSentences.rmc("101112"), SampleSentences.gsa("3")], .threeD),
      ([SampleSentences.gga("101112")], .threeD),
      ([SampleSentences.gga("101112", height: ",M,,M")], .twoD),
      ([SampleSentences.gga("101112", height: ",M,,M"), SampleSentences.gsa("3")], .threeD),
      ([SampleSentences.gga("101112"), SampleSentences.gsa("2")], .threeD),
      // Held from the instant before, for ten seconds.
      ([SampleSentences.gga("101112"), SampleSentences.rmc("101113")], .threeD),
      ([SampleSentences.gga("101112"), SampleSentences.rmc("101122")], .threeD),
      ([SampleSentences.gga("101112"), SampleSentences.rmc("101123")], .twoD),
      ([SampleSentences.gga("235958"), SampleSentences.rmc("000003")], .threeD),
      (
        [
          SampleSentences.gga("101112"), SampleSentences.rmc("101113", status: "V"),
          SampleSentences.rmc("101114"),
        ], .twoD
      ),
    ] as [([String], Fix.Mode)])
  func modeFollowsHeightThenGSA(_ bodies: [String], _ mode: Fix.Mode) {
    #expect(decodeSentences(bodies).fixes.last?.mode == mode)
  }

  @Test(
    arguments: [
      ("1", "A", .autonomous), ("1", "D", .differential), ("1", "E", .deadReckoning), ("1", "", .autonomous),
      ("2", "A", .differential), ("4", "D", .rtkFixed), ("5", "A", .rtkFloat), ("6", "A", .deadReckoning),
      ("7", "A", .autonomous), ("7", "", .fixedPosition), ("8", "A", .simulated), ("9", "", nil),
    ] as [(String, String, Fix.SolutionKind?)])
  func qualityAndModeLetterDetermineTheSolution(
    _ quality: String, _ letter: String, _ solution: Fix.SolutionKind?
  )
    throws
  {
    let batch = decodeSentences([
      SampleSentences.gga("101112", quality: quality), SampleSentences.rmc("101112", mode: letter),
    ])
    let fix = try #require(batch.fixes.first)
    #expect(fix.solution == solution)
    #expect(fix.isSimulated == (solution == .simulated))
  }

  @Test func saturatedSatelliteCountUsesGSALists() {
    let lists = ["GN", "GN"].map { "\($0)GSA,A,3,01,02,03,04,05,06,07,08,09,10,,,1.8,0.9,1.5" }
    let saturated = decodeSentences([SampleSentences.gga("101112", used: "12")] + lists)
    #expect(saturated.fixes.map(\.satellitesUsed) == [20])
    let exact = decodeSentences([SampleSentences.gga("101112", used: "11")] + lists)
    #expect(exact.fixes.map(\.satellitesUsed) == [11])
    #expect(decodeSentences([SampleSentences.rmc("101112")] + lists).fixes.map(\.satellitesUsed) == [20])
  }

  // MARK: - u-blox's own sentence

  @Test func pubxFillsMissingFields() throws {
    let pubx = "PUBX,00,101112.00,4731.0,N,00831.0,E,546.589,G3,2.1,2.0,36.0,77.52,-0.5,,0.92,1.19,0.77,9,0,0"
    let alone = try #require(decodeSentences([pubx]).fixes.first)
    #expect(alone.coordinate.latitude == 47 + 31.0 / 60)
    #expect(alone.heightAboveEllipsoid == 546.589)
    #expect(alone.heightAboveGeoid == nil)
    #expect(alone.speed == 10)
    #expect(alone.course == 77.52)
    #expect(alone.climb == 0.5)
    #expect(alone.mode == .threeD)
    #expect(alone.satellitesUsed == 9)
    #expect(alone.horizontalDilution == 0.92)
    let both = try #require(decodeSentences([SampleSentences.rmc("101112"), pubx]).fixes.first)
    #expect(both.coordinate.latitude == 47.5)
    #expect(both.course == 90)
    #expect(both.climb == 0.5)
  }
}
