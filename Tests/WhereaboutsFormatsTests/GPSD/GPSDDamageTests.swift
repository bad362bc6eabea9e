import Testing
import WhereaboutsModel
import WhereaboutsTesting

@testable import WhereaboutsFormats

/// Lines that are cut, wrong, or no gpsd's at all.
@Suite struct GPSDDamageTests {
  @Test(
    arguments: [
      ("{", .truncated), (#"{"class":"TPV","mode":3"#, .truncated),
      (#"{"class":"TPV","mode":3,}"#, .malformed),
      (#"{"class":"TPV"} x"#, .malformed), (#"{"class":"TPV","lat":1,"lon":2}"#, .missing),
      (#"{"class":"TPV","mode":"3"}"#, .missing), (#"{"mode":3}"#, .missing), (#"{"class":7}"#, .missing),
      (#"{"class":"DEVICE","activated":0}"#, .missing), ("HTTP/1.1 400 Bad Request", .garbage),
      (#"{"class":"TPV","mode":3,"lat":91,"lon":0}"#, .badCoordinate),
      (#"{"class":"TPV","mode":3,"lat":1,"lon":2,"speed":"x"}"#, .badNumber),
      (#"{"class":"TPV","mode":3,"lat":1,"lon":2,"time":"soon"}"#, .badTime),
      (#"{"class":"TPV","mode":3,"lat":1e999,"lon":2}"#, .badNumber),
      (#"{"class":"TPV","mode":3,"lat":nan}"#, .malformed),
    ] as [(String, InputProblem.Kind)])
  func malformedLineIsOneProblem(line: String, kind: InputProblem.Kind) {
    let batch = GPSDText.batch(GPSDText.tpv(0), line, GPSDText.tpv(1))
    #expect(batch.problems.counts == [kind: 1])
    #expect(batch.problems.samples.first?.line == 2)
    #expect(batch.summaries.first == "fix 0")
    #expect(batch.summaries.last == "fix 1", "the rest goes on")
  }

  @Test func impossibleNumbersAreOmitted() throws {
    let batch = GPSDText.batch(
      GPSDText.tpv(0, #""speed":1e308,"climb":-1e300,"altHAE":1e200,"altMSL":400.5"#),
      GPSDText.tpv(1, #""speed":7800"#))
    let fix = try #require(batch.fixes.first)
    #expect(fix.speed == nil && fix.climb == nil && fix.heightAboveEllipsoid == nil)
    #expect(fix.heightAboveGeoid == 400.5)
    #expect(batch.problems.counts == [.badNumber: 1])
    #expect(batch.fixes.last?.speed == 7800, "a satellite's")
  }

  @Test func courseAbove360IsRefused() {
    let batch = GPSDText.batch(
      GPSDText.tpv(0, #""track":400"#), GPSDText.tpv(1, #""track":360"#), GPSDText.tpv(2, #""track":-1"#))
    #expect(batch.fixes.map(\.course) == [nil, 0, 359])
    #expect(batch.problems.counts == [.badNumber: 1])
  }

  @Test(arguments: [0, 1, 2, 3]) func datesAreCorrectedByWholeRollovers(rounds: Int) {
    let rollover = Duration.seconds(1024 * 7 * 86_400)
    var decoder = GPSDDecoder()
    decoder.notBefore = GPSDText.time(0).advanced(by: .seconds(-365 * 86_400))
    var batch = GPSDBatch()
    for second in 0..<2 {
      let stated = GPSDText.time(second).advanced(by: .zero - rollover * rounds)
      let line = #"{"class":"TPV","mode":3,"time":"\#(stated.iso8601)","lat":1,"lon":2}"# + "\n"
      decoder.decode(Array(line.utf8), into: &batch)
    }
    #expect(batch.summaries == ["fix 0", "fix 1"])
  }

  @Test(arguments: [nil, UTCTime(nanosecondsSince1970: .max), UTCTime(nanosecondsSince1970: .min)])
  func extremeTimesAreNotMovedOutOfRange(notBefore: UTCTime?) {
    for nanoseconds in [Int64.min, Int64.min + 1, -1, 0, 1, Int64.max - 1, Int64.max] {
      let time = UTCTime(nanosecondsSince1970: nanoseconds)
      let moved = time.correctedForRollover(notBefore: notBefore)
      #expect(moved == time || moved >= notBefore ?? moved)
    }
  }

  @Test func textAfterATruncatedReportIsRead() {
    let satellites = (1...200).map {
      "{\"PRN\":\($0 % 32 + 1),\"el\":45.0,\"az\":123.0,\"ss\":30.0,\"used\":true}"
    }
    let long = "{\"class\":\"SKY\",\"satellites\":[\(satellites.joined(separator: ","))]}"
    for cut in [10_238, 10_240] {
      var decoder = GPSDDecoder()
      var batch = GPSDBatch()
      decoder.decode(
        Array((String(long.prefix(cut)) + GPSDText.tpv(0) + "\r\n" + GPSDText.tpv(1) + "\r\n").utf8),
        into: &batch)
      #expect(batch.summaries == ["fix 0", "fix 1"])
      #expect(batch.problems.total == 1)
    }
    let alone = GPSDText.batch(String(long.prefix(10_238)), GPSDText.tpv(0))
    #expect(alone.summaries == ["fix 0"])
    #expect(alone.problems.counts == [.truncated: 1])
  }

  @Test func endlessLineIsOneProblemAndNotBuffered() {
    var decoder = GPSDDecoder()
    var batch = GPSDBatch()
    for _ in 0..<1000 { decoder.decode([UInt8](repeating: 0x7B, count: 1000), into: &batch) }
    decoder.decode(Array(("\n" + GPSDText.tpv(0) + "\n").utf8), into: &batch)
    #expect(batch.summaries == ["fix 0"])
    #expect(batch.problems.counts == [.tooLong: 1])
  }

  @Test func deepNestingIsRefused() {
    let deep = String(repeating: "[", count: 5000)
    #expect(GPSDText.batch("{\"class\":\"TPV\",\"x\":\(deep)").problems.total == 1)
  }

  @Test func manyDevicesUseNoMemory() {
    let batch = GPSDText.batch((0..<1000).map { (second: Int) in GPSDText.tpv(second, device: "d\(second)") })
    #expect(batch.fixes.count == 1000)
  }

  @Test(arguments: 1...60 as ClosedRange<UInt64>) func chunkingDoesNotChangeTheResult(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let bytes = random.mutated(Array(Self.session.utf8))
    let whole = Self.decode(bytes, [])
    for longest in [1, 7, 300] {
      let lengths = (0..<bytes.count).map { _ in Int.random(in: 0...longest, using: &random) }
      let cut = Self.decode(bytes, longest == 1 ? Array(repeating: 1, count: bytes.count) : lengths)
      #expect(cut.reports == whole.reports, "seed \(seed)")
      #expect(cut.problems == whole.problems, "seed \(seed)")
    }
  }

  @Test(arguments: 1...200 as ClosedRange<UInt64>) func noiseIsHandled(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let marks = Array("{}[]\":,\\0123456789.-eE+truefalsnlTPVclasmode \r\n".utf8)
    let bytes = (0..<400).map { _ in
      random.next() % 10 == 0
        ? UInt8.random(in: 0...255, using: &random) : marks.randomElement(using: &random) ?? 0
    }
    _ = Self.decode(bytes, [])
  }

  private static let session =
    ([
      #"{"class":"VERSION","release":"3.25","rev":"x","proto_major":3,"proto_minor":15}"#,
      #"{"class":"DEVICES","devices":[{"class":"DEVICE","path":"/dev/ttyACM0","activated":"2024-06-01T12:00:00.000Z"}]}"#,
      #"{"class":"WATCH","enable":true,"json":true}"#,
      #"{"class":"SKY","time":"2024-06-01T12:00:00.000Z","hdop":1.2,"satellites":[{"PRN":1,"el":70.0,"az":3.0,"ss":40.0,"used":true,"gnssid":0,"svid":1}]}"#,
    ] + (0..<8).map { GPSDText.tpv($0, #""eph":3.5,"epv":1e1,"speed":0.25,"track":12.5"#) }).joined(
      separator: "\r\n") + "\r\n"

  private static func decode(_ bytes: [UInt8], _ lengths: [Int]) -> GPSDBatch {
    var decoder = GPSDDecoder()
    var batch = GPSDBatch()
    var start = 0
    for length in lengths where start < bytes.count {
      let end = min(start + length, bytes.count)
      decoder.decode(Array(bytes[start..<end]), into: &batch)
      start = end
    }
    if start < bytes.count { decoder.decode(Array(bytes[start...]), into: &batch) }
    return batch
  }
}
