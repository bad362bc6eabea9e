import Testing
import WhereaboutsModel
import WhereaboutsGeodesy

@testable import WhereaboutsFormats

@Suite struct SatelliteTests {
  private static let satelliteOptions: NMEADecoder.Options = {
    var options = NMEADecoder.Options()
    options.emitsSatellites = true
    return options
  }()

  private static let gps = [
    "GPGSV,2,1,05,01,10,100,40,02,20,200,,03,30,300,30,40,40,040,35", "GPGSV,2,2,05,05,50,359,20",
  ]
  private static let glonass = ["GLGSV,1,1,02,65,15,150,33,88,25,250,"]

  @Test func viewIsEmittedAfterItsLastSentence() throws {
    let bodies =
      [SampleSentences.rmc("101112"), SampleSentences.gsa("3")] + Self.gps + Self.glonass + [
        SampleSentences.rmc("101113")
      ]
    let batch = decodeSentences(bodies, options: Self.satelliteOptions)
    #expect(batch.views.count == 1)
    let view = try #require(batch.views.first)
    #expect(view.time?.iso8601 == "2024-02-01T10:11:12.000Z")
    try #require(view.satellites.map(\.number) == [1, 2, 3, 40, 5, 65, 88])
    #expect(view.satellites.map(\.constellation) == [.gps, .gps, .gps, .sbas, .gps, .glonass, .glonass])
    #expect(view.satellites.map(\.isUsed) == [true, true, true, false, false, false, false])
    #expect(view.satellites.map(\.signal) == [40, nil, 30, 35, 20, 33, nil])
    #expect(view.satellites[4].elevation == 50)
    #expect(view.satellites[4].azimuth == 359)
    #expect(batch.fixes.map(\.satellitesInView) == [7, 7])
    #expect(batch.problems.total == 0)
  }

  @Test func viewsAreOmittedByDefault() {
    #expect(decodeSentences([SampleSentences.rmc("101112")] + Self.gps).views.isEmpty)
  }

  @Test func outOfRangeSignalIsAbsent() {
    let bodies = ["GLGSV,1,1,02,65,15,150,1e300,88,25,250,40", SampleSentences.rmc("101113")]
    #expect(
      decodeSentences(bodies, options: Self.satelliteOptions).views.first?.satellites.map(\.signal) == [
        nil, 40,
      ])
  }

  @Test func listMaySpanCycles() {
    let bodies = [
      SampleSentences.rmc("101112"), Self.gps[0], SampleSentences.rmc("101113"), Self.gps[1],
      SampleSentences.rmc("101114"),
    ]
    #expect(decodeSentences(bodies, options: Self.satelliteOptions).views.map(\.satellites.count) == [5])
  }

  @Test func incompleteListIsDiscarded() {
    let lost = [
      SampleSentences.rmc("101112"), Self.gps[1], SampleSentences.rmc("101113"), Self.gps[0], Self.gps[0],
      SampleSentences.rmc("101114"),
    ]
    #expect(decodeSentences(lost, options: Self.satelliteOptions).views.isEmpty)
  }

  @Test func signalsOfOneSatelliteAreMerged() throws {
    let bodies = [
      "GAGSV,1,1,01,07,40,100,30,7", "GAGSV,1,1,01,07,40,100,38,2", SampleSentences.rmc("101112"),
    ]
    let view = try #require(decodeSentences(bodies, options: Self.satelliteOptions).views.first)
    #expect(view.satellites.count == 1)
    #expect(view.satellites.first?.constellation == .galileo)
    #expect(view.satellites.first?.signal == 38)
  }

  @Test func newListReplacesTheTalkersPreviousList() throws {
    let bodies =
      Self.gps + Self.glonass + [
        SampleSentences.rmc("101112"), "GPGSV,1,1,01,09,40,100,30", SampleSentences.rmc("101113"),
      ]
    let view = try #require(decodeSentences(bodies, options: Self.satelliteOptions).views.last)
    #expect(view.satellites.map(\.number) == [65, 88, 9])
  }

  @Test func unreportedSystemIsForgotten() throws {
    var bodies = Self.glonass
    for _ in 0..<12 { bodies += ["GPGSV,1,1,01,09,40,100,30", SampleSentences.rmc("101112")] }
    let views = decodeSentences(bodies, options: Self.satelliteOptions).views
    #expect(views.first?.satellites.count == 3)
    #expect(views.last?.satellites.map(\.number) == [9])
  }

  /// Some receivers fill the last sentence with empty fields.
  @Test func emptyFieldsYieldNoSatellites() throws {
    let bodies = ["GPGSV,1,1,01,09,40,100,30,,,,,,,,,,,,", SampleSentences.rmc("101112")]
    #expect(decodeSentences(bodies, options: Self.satelliteOptions).views.map(\.satellites.count) == [1])
    #expect(
      decodeSentences(["GPGSV,1,1,00,,,,,,,,,,,,,,,,", SampleSentences.rmc("101112")]).fixes.map(
        \.satellitesInView)
        == [0])
  }

  @Test(
    arguments: [
      (Talker.gp, nil, 7, .gps, 7), (.gp, nil, 33, .sbas, 33), (.gp, nil, 70, .glonass, 70),
      (.gp, nil, 120, .sbas, 33),
      (.gp, nil, 193, .qzss, 1), (.gp, nil, 214, .beidou, 14), (.gp, nil, 305, .galileo, 5),
      (.gp, nil, 412, .beidou, 12),
      (.gp, nil, 700, .unknown, 700), (.gl, nil, 3, .glonass, 67), (.gl, nil, 81, .glonass, 81),
      (.ga, nil, 9, .galileo, 9),
      (.ga, nil, 309, .galileo, 9), (.gb, nil, 23, .beidou, 23), (.bd, nil, 223, .beidou, 23),
      (.gq, nil, 2, .qzss, 2),
      (.qz, nil, 194, .qzss, 2), (.gi, nil, 4, .navic, 4), (Talker(letters: 0x474E), 1, 7, .gps, 7),
      (Talker(letters: 0x474E), 2, 67, .glonass, 67), (Talker(letters: 0x474E), 3, 9, .galileo, 9),
      (Talker(letters: 0x474E), 4, 23, .beidou, 23), (Talker(letters: 0x474E), nil, 9, .gps, 9),
      (.pq, 5, 3, .qzss, 3),
    ] as [(Talker, Int?, Int, SatellitesInView.Constellation, UInt16)])
  func satelliteNumbersFollowTheStandard(
    _ talker: Talker, _ system: Int?, _ number: Int, _ constellation: SatellitesInView.Constellation,
    _ meant: UInt16
  ) {
    let satellite = SatelliteID(number, talker: talker, system: system)
    #expect(satellite?.constellation == constellation)
    #expect(satellite?.number == meant)
  }
}
