import EngineTestSupport
import Testing
import WhereaboutsModel
import WhereaboutsGeodesy
import WhereaboutsTesting

@testable import WhereaboutsFormats

@Suite struct GPSDEncoderTests {
  private let encoder = GPSDEncoder(device: "whereabouts", driver: "Whereabouts")

  private func text(_ write: (inout [UInt8]) -> Void) -> String {
    var bytes: [UInt8] = []
    write(&bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test func responsesEqualThoseOfGPSD() {
    #expect(
      text { encoder.appendVersion(revision: "x", to: &$0) }
        == #"{"class":"VERSION","release":"3.22","rev":"x","proto_major":3,"proto_minor":14}"# + "\r\n")
    #expect(
      text { encoder.appendDevices(activated: nil, to: &$0) }
        == #"{"class":"DEVICES","devices":[{"class":"DEVICE","path":"whereabouts","readonly":true}]}"#
        + "\r\n")
    #expect(
      text { encoder.appendWatch(GPSDWatch(isEnabled: true, device: "whereabouts"), to: &$0) }
        == #"{"class":"WATCH","enable":true,"json":true,"nmea":false,"raw":0,"scaled":false,"timing":false,"#
        + #""split24":false,"pps":false,"device":"whereabouts"}"# + "\r\n")
    #expect(
      text { encoder.appendPoll(at: GPSDText.time(0), nil, nil, isActive: false, to: &$0) }
        == #"{"class":"POLL","time":"2024-06-01T12:00:00.000Z","active":0,"tpv":[],"gst":[],"sky":[]}"#
        + "\r\n")
    #expect(
      text { encoder.appendFailure("a \"b\"", to: &$0) } == #"{"class":"ERROR","message":"a \"b\""}"# + "\r\n"
    )
  }

  @Test func positionIsWrittenAsByGPSD() {
    var fix = Fix(
      coordinate: Fix.test(latitude: -37.965442167, longitude: 8.25, accuracy: nil, time: nil).coordinate,
      time: GPSDText.time(1), source: .nmea)
    fix.mode = .threeD
    fix.solution = .differential
    fix.heightAboveGeoid = 9.2
    fix.heightAboveEllipsoid = -15.9
    fix.speed = 0.0564
    fix.course = 310.15
    fix.horizontalAccuracy = 6.19
    fix.verticalAccuracy = 10
    #expect(
      text { encoder.append(fix, to: &$0) }
        == #"{"class":"TPV","device":"whereabouts","status":2,"mode":3,"time":"2024-06-01T12:00:01.000Z","#
        + #""lat":-37.965442167,"lon":8.250000000,"altHAE":-15.9000,"altMSL":9.2000,"alt":9.2000,"epv":19.600,"#
        + #""track":310.1500,"speed":0.056,"geoidSep":-25.100,"eph":10.000}"# + "\r\n")
  }

  @Test(arguments: 1...200 as ClosedRange<UInt64>) func writtenFixRoundTrips(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var fix = random.fix()
    fix.source = .gpsd
    var decoder = GPSDDecoder()
    var batch = GPSDBatch()
    var bytes: [UInt8] = []
    encoder.append(fix, to: &bytes)
    decoder.decode(bytes, into: &batch)
    #expect(batch.problems.total == 0, "seed \(seed)")
    let read = try #require(batch.fixes.first)
    #expect(abs(read.coordinate.latitude - fix.coordinate.latitude) <= 6e-10, "seed \(seed)")
    #expect(abs(read.coordinate.longitude - fix.coordinate.longitude) <= 6e-10, "seed \(seed)")
    #expect(read.time == fix.time, "seed \(seed)")
    #expect(read.isSimulated == fix.isSimulated || fix.solution == .simulated, "seed \(seed)")
    if let accuracy = fix.horizontalAccuracy, accuracy > 0.01, accuracy < 1e9 {
      #expect(abs((read.horizontalAccuracy ?? .nan) - accuracy) <= 0.002 + accuracy * 1e-9, "seed \(seed)")
    }
    if let speed = fix.speed, speed < 1e9 {
      #expect(abs((read.speed ?? .nan) - speed) <= 0.0006, "seed \(seed)")
    }
  }

  @Test func satellitesRoundTrip() throws {
    let satellites: [SatellitesInView.Satellite] = [
      .init(constellation: .gps, number: 5, elevation: 70, azimuth: 351, signal: 33, isUsed: true),
      .init(constellation: .sbas, number: 46, elevation: 3, azimuth: 0, signal: nil, isUsed: false),
      .init(constellation: .galileo, number: 11), .init(constellation: .beidou, number: 23),
      .init(constellation: .qzss, number: 3), .init(constellation: .glonass, number: 68),
      .init(constellation: .navic, number: 9), .init(constellation: .unknown, number: 1000),
    ]
    var fix = Fix.test(latitude: 1, longitude: 2, accuracy: nil, time: nil)
    fix.horizontalDilution = 1.25
    let sky = SatellitesInView(satellites: satellites, time: GPSDText.time(0))
    let line = text { encoder.append(sky, fix, to: &$0) }
    let batch = GPSDText.batch([line], ending: "")
    guard case .satellites(let read, _) = batch.reports.first else {
      Issue.record("\(line)")
      return
    }
    #expect(read.time == sky.time)
    #expect(Array(read.satellites.prefix(7)) == Array(satellites.prefix(7)))
  }

  @Test func linesFitTheClientBuffer() {
    let many = SatellitesInView(
      satellites: (0..<300).map {
        .init(
          constellation: .galileo, number: UInt16($0 % 36 + 1), elevation: -12.5, azimuth: 359.5, signal: 49.5
        )
      }, time: GPSDText.time(0))
    #expect(text { encoder.append(many, nil, to: &$0) }.utf8.count <= 10_240)
  }

  @Test func headingsRoundTrip() {
    for reference in [Heading.Reference.trueNorth, .magneticNorth] {
      guard let heading = Heading(degrees: 12.25, reference: reference) else { continue }
      let line = text { encoder.append(heading, to: &$0) }
      #expect(GPSDText.batch([line], ending: "").reports == [.heading(heading, device: "whereabouts")])
    }
  }
}

@Suite struct GPSDRequestTests {
  private func requests(_ text: String, inPiecesOf length: Int = .max) -> [GPSDRequest] {
    var reader = GPSDRequestReader()
    var requests: [GPSDRequest] = []
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      Array(rest.prefix(length)).withUnsafeBytes { reader.read($0) { requests.append($0) } }
      rest = rest.dropFirst(length)
    }
    return requests
  }

  @Test func requestsAreParsedForAnyChunking() {
    let text =
      "?VERSION;\n?WATCH={\"enable\":true,\"json\":true};\r\n?DEVICES;?POLL;\n?WATCH;\n?WATCH={\"enable\":false}\n"
      + "?WATCH={\"nmea\":true,\"device\":\"x;y\"};?DEVICE={\"path\":\"x\"};\n\n;\n?FOO;\nGET / HTTP/1.1\n?WATCH={oops;\n"
    let expected: [GPSDRequest] = [
      .version, .setWatch(isEnabled: true, isJSON: true, isNMEA: nil, device: nil), .devices, .poll, .watch,
      .setWatch(isEnabled: false, isJSON: nil, isNMEA: nil, device: nil),
      .setWatch(isEnabled: nil, isJSON: nil, isNMEA: true, device: "x;y"), .device, .unknown("?FOO"),
      .unknown("GET / HTTP/1.1"), .unknown("?WATCH={oops;"),
    ]
    #expect(requests(text) == expected)
    #expect(requests(text, inPiecesOf: 1) == expected)
  }

  @Test func endlessRequestIsUnknown() {
    #expect(
      requests(String(repeating: "?", count: 100_000) + "\n?POLL;\n", inPiecesOf: 1000) == [
        .unknown(""), .poll,
      ])
  }
}
