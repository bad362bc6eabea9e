import EngineTestSupport
import Testing
import WhereaboutsModel
import WhereaboutsTesting

@testable import WhereaboutsFormats

@Suite struct GPSDReportTests {
  @Test func otherReportsAreParsed() throws {
    let batch = GPSDText.batch(
      #"{"class":"VERSION","release":"3.22","rev":"3.22","proto_major":3,"proto_minor":14}"#,
      #"{"class":"DEVICES","devices":[{"class":"DEVICE","path":"/dev/ttyACM0","driver":"u-blox","activated":"2024-06-01T12:00:00.000Z","flags":1},{"class":"DEVICE","path":"tcp://a:1"},{"class":"DEVICE","path":"/dev/x","activated":0}]}"#,
      #"{"class":"WATCH","enable":true,"json":true,"nmea":false,"device":"/dev/ttyACM0"}"#,
      #"{"class":"DEVICE","path":"/dev/ttyACM0","activated":0}"#,
      #"{"class":"DEVICE","path":"/dev/ttyACM0","activated":1717243200.25}"#,
      #"{"class":"ATT","device":"/dev/ttyACM0","time":"2024-06-01T12:00:00.000Z","heading":14223.00,"mag_st":"N"}"#,
      #"{"class":"ATT","mheading":0.5}"#, #"{"class":"ATT","pitch":3}"#,
      #"{"class":"ERROR","message":"No such device as \"x\""}"#,
      #"{"class":"POLL","time":"2024-06-01T12:00:00.000Z","active":1,"tpv":[{"class":"TPV","mode":3,"lat":47,"lon":8}],"gst":[],"sky":[]}"#,
      #"{"class":"TOFF"}"#, "$GPRMC,whatever*00")
    #expect(
      batch.summaries == [
        "version 3.22", #"devices ["/dev/ttyACM0", "tcp://a:1 off", "/dev/x off"]"#, "watch on",
        "device /dev/ttyACM0 off", "device /dev/ttyACM0", "heading 183.0 true", "heading 0.5 magnetic",
        #"error No such device as "x""#, "poll 1 1",
      ])
    #expect(batch.problems.total == 0)
    try #require(batch.reports.count > 2)
    guard case .version(let version) = batch.reports.first, case .watch(let watch) = batch.reports[2] else {
      Issue.record("\(batch.reports)")
      return
    }
    #expect(version == GPSDVersion(release: "3.22", revision: "3.22", protocolMajor: 3, protocolMinor: 14))
    #expect(watch == GPSDWatch(isEnabled: true, device: "/dev/ttyACM0"))
  }

  @Test func positionIsParsedForAnyMemberOrder() throws {
    let members = [
      #""class":"TPV""#, #""device":"/dev/ttyACM0""#, #""mode":3"#, #""status":2"#,
      #""time":"2024-06-01T12:00:00.250Z""#, #""ept":0.005"#, #""lat":-37.965442167"#,
      #""lon":-122.532423833"#,
      #""altHAE":-15.9000"#, #""altMSL":9.2000"#, #""alt":1"#, #""eph":10"#, #""epx":5"#, #""epy":4"#,
      #""epv":19.5996"#, #""track":-90"#, #""speed":1.5"#, #""climb":-0.25"#, #""eps":3.91992"#,
      #""epd":39.1992"#, #""geoidSep":-25.1"#, #""novelty":{"a":[1,{"lat":3}],"b":null}"#, #""sep":[]"#,
    ]
    var random = SeededGenerator(seed: 2947)
    var expected = Fix(
      coordinate: Fix.test(latitude: -37.965442167, longitude: -122.532423833, accuracy: nil, time: nil)
        .coordinate,
      time: GPSDText.time(0).advanced(by: .milliseconds(250)), source: .gpsd)
    expected.heightAboveEllipsoid = -15.9
    expected.heightAboveGeoid = 9.2
    expected.horizontalAccuracy = 6.19
    expected.verticalAccuracy = 10
    expected.course = 270
    expected.courseAccuracy = 20
    expected.speed = 1.5
    expected.speedAccuracy = 2
    expected.climb = -0.25
    expected.mode = .threeD
    expected.solution = .differential
    for _ in 0..<50 {
      let batch = GPSDText.batch("{\(members.shuffled(using: &random).joined(separator: " ,"))}")
      #expect(batch.reports == [.fix(expected, device: "/dev/ttyACM0")])
    }
  }

  /// The meaning of a status and of a mode.
  @Test(
    arguments: [
      (0, nil), (1, .autonomous), (2, .differential), (3, .rtkFixed), (4, .rtkFloat), (5, .deadReckoning),
      (6, .satellitesAndDeadReckoning), (7, .fixedPosition), (8, .simulated), (9, .precise), (10, nil),
      (-1, nil),
    ] as [(Int, Fix.SolutionKind?)])
  func statusDeterminesTheSolution(status: Int, solution: Fix.SolutionKind?) {
    let fix = GPSDText.batch(GPSDText.tpv(0, mode: 2, "\"status\":\(status)")).fixes.first
    #expect(fix?.solution == solution)
    #expect(fix?.isSimulated == (status == 8))
    #expect(fix?.mode == .twoD)
  }

  /// Members, then sea level and ellipsoid.
  @Test(
    arguments: [
      (#""alt":12.5"#, 12.5, nil), (#""altMSL":12.5,"alt":60"#, 12.5, nil),
      (#""altHAE":60.5,"alt":12"#, nil, 60.5),
      (#""altHAE":60.5,"geoidSep":48"#, 12.5, 60.5), (#""alt":12.5,"geoidSep":48"#, 12.5, 60.5),
      (#""altHAE":60.1,"altMSL":12.5,"geoidSep":48"#, 12.5, 60.1), (#""geoidSep":48"#, nil, nil),
    ] as [(String, Double?, Double?)])
  func heightsAreSeparate(members: String, seaLevel: Double?, ellipsoid: Double?) {
    let fix = GPSDText.batch(GPSDText.tpv(0, members)).fixes.first
    #expect(fix?.heightAboveGeoid == seaLevel)
    #expect(fix?.heightAboveEllipsoid == ellipsoid)
  }

  /// Members, then horizontal and vertical accuracy.
  @Test(
    arguments: [
      (#""eph":10,"epx":50,"epy":50"#, 6.19, nil),
      // Alike on both axes: 1.5152 standard deviations, each 1 / 1.96 of the half-width.
      (#""epx":10,"epy":10"#, 7.731, nil), (#""epx":10"#, nil, nil), (#""epv":19.5996"#, nil, 10),
      (#""eph":0,"epv":0"#, nil, nil), (#""eph":-1,"epv":-1"#, nil, nil),
    ] as [(String, Double?, Double?)])
  func errorsAreConvertedFrom95To68Percent(members: String, horizontal: Double?, vertical: Double?) {
    let fix = GPSDText.batch(GPSDText.tpv(0, members)).fixes.first
    #expect(fix?.horizontalAccuracy == horizontal)
    #expect(fix?.verticalAccuracy == vertical)
    #expect(fix?.isAccuracyEstimated == false)
  }

  @Test func negativeSpeedAndMissingCourseAreAbsent() {
    let fix = GPSDText.batch(GPSDText.tpv(0, #""speed":-1"#)).fixes.first
    #expect(fix?.speed == nil)
    #expect(fix?.course == nil)
    #expect(GPSDText.batch(GPSDText.tpv(0, #""speed":0,"track":0"#)).fixes.first?.course == 0)
  }

  @Test func nullIslandIsAValidPlace() {
    #expect(GPSDText.batch(GPSDText.tpv(0, lat: 0, lon: 0)).fixes.count == 1)
  }
}
