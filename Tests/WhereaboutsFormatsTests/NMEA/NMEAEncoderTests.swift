import EngineTestSupport
import Testing
import WhereaboutsModel
import WhereaboutsGeodesy
import WhereaboutsTesting

@testable import WhereaboutsFormats

@Suite struct NMEAEncoderTests {
  private func text(_ write: (inout [UInt8]) -> Void) -> [String] {
    var bytes: [UInt8] = []
    write(&bytes)
    return String(decoding: bytes, as: UTF8.self).split(separator: "\r\n").map(String.init)
  }

  private var fix: Fix {
    var fix = Fix(
      coordinate: Fix.test(latitude: 47.5, longitude: -8.25, accuracy: nil, time: nil).coordinate,
      time: GPSDText.time(1), source: .gpsd)
    fix.mode = .threeD
    fix.heightAboveGeoid = 400.25
    fix.heightAboveEllipsoid = 448.25
    fix.speed = 10
    fix.course = 359.999
    fix.satellitesUsed = 8
    fix.horizontalDilution = 1.25
    fix.horizontalAccuracy = 3.03034
    fix.verticalAccuracy = 5
    return fix
  }

  @Test func fixIsWrittenAsFourSentences() {
    #expect(
      text { NMEAEncoder().append(fix, to: &$0) }
        == [
          "$GPRMC,120001.00,A,4730.000000,N,00815.000000,W,19.44,0.00,010624,,,A*58",
          "$GPGGA,120001.00,4730.000000,N,00815.000000,W,1,08,1.3,400.25,M,48.0,M,,*7D",
          "$GPGSA,A,3,,,,,,,,,,,,,,1.3,,*2D", "$GPGST,120001.00,,,,,2.000,2.000,5.000*49",
        ].map(Self.withChecksum))
  }

  /// The sentence with the checksum that it must have.
  private static func withChecksum(_ sentence: String) -> String {
    let body = sentence.dropFirst().prefix { $0 != "*" }
    let sum = String(body.utf8.reduce(0, ^), radix: 16, uppercase: true)
    return "$\(body)*\(sum.count < 2 ? "0" : "")\(sum)"
  }

  @Test func missingPositionIsWritten() {
    let sentences = text { NMEAEncoder().appendNoPosition(to: &$0) }
    #expect(sentences.map { $0.prefix(8) } == ["$GPRMC,,", "$GPGGA,,", "$GPGSA,A"])
    var decoder = NMEADecoder()
    let batch = decoder.decodeAll(Array(sentences.joined(separator: "\r\n").utf8))
    #expect(batch.elements.isEmpty)
    #expect(batch.problems.total == 0)
  }

  @Test func minutesAreNeverSixty() throws {
    var near = fix
    near.coordinate =
      Fix.test(latitude: 46.999_999_999_9, longitude: 179.999_999_999_9, accuracy: nil, time: nil).coordinate
    let first = try #require(text { NMEAEncoder().append(near, to: &$0) }.first)
    #expect(first.contains(",4700.000000,N,18000.000000,E,"))
  }

  @Test(arguments: 1...200 as ClosedRange<UInt64>) func writtenFixRoundTrips(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var fix = random.fix()
    // A two-digit year is of this century or the end of the last.
    fix.time = GPSDText.time(Int.random(in: -700_000_000...700_000_000, using: &random))
    fix.horizontalAccuracy = Double.random(in: 0.5...500, using: &random)
    fix.heightAboveGeoid = fix.heightAboveGeoid.map { $0.remainder(dividingBy: 9000) }
    fix.heightAboveEllipsoid = fix.heightAboveGeoid.map { $0 + 48 }
    fix.speed = fix.speed.map { abs($0.remainder(dividingBy: 500)) }
    var bytes: [UInt8] = []
    NMEAEncoder().append(fix, to: &bytes)
    for line in String(decoding: bytes, as: UTF8.self).split(separator: "\r\n") {
      #expect(line.utf8.count <= 80, "82 with its end: \(line)")
    }
    var decoder = NMEADecoder()
    let batch = decoder.decodeAll(bytes)
    #expect(batch.problems.total == 0, "seed \(seed)")
    let read = try #require(batch.fixes.first)
    #expect(batch.fixes.count == 1)
    #expect(abs(read.coordinate.latitude - fix.coordinate.latitude) <= 1e-8, "seed \(seed)")
    #expect(abs(read.coordinate.longitude - fix.coordinate.longitude) <= 1e-8, "seed \(seed)")
    #expect(read.time == fix.time, "seed \(seed)")
    #expect(
      abs((read.horizontalAccuracy ?? .nan) - (fix.horizontalAccuracy ?? .nan)) <= 0.002, "seed \(seed)")
    if let speed = fix.speed { #expect(abs((read.speed ?? .nan) - speed) <= 0.003, "seed \(seed)") }
    if let height = fix.heightAboveGeoid {
      #expect(abs((read.heightAboveGeoid ?? .nan) - height) <= 0.006, "seed \(seed)")
    }
  }

  @Test func satellitesRoundTripAndAreListedInLaterFixes() {
    let sky = SatellitesInView(
      satellites: (1...5).map {
        .init(
          constellation: .gps, number: $0, elevation: 10, azimuth: Float($0 * 60), signal: 40, isUsed: $0 < 4)
      } + [
        .init(constellation: .glonass, number: 68, elevation: 45, azimuth: 359.7, signal: nil, isUsed: false),
        .init(constellation: .galileo, number: 11, elevation: 90, azimuth: 0, signal: 33, isUsed: true),
      ])
    var encoder = NMEAEncoder()
    var bytes: [UInt8] = []
    encoder.append(sky, to: &bytes)
    encoder.append(fix, to: &bytes)
    let sentences = String(decoding: bytes, as: UTF8.self).split(separator: "\r\n")
    #expect(
      sentences.map { $0.prefix(6) } == [
        "$GPGSV", "$GPGSV", "$GLGSV", "$GAGSV", "$GNRMC", "$GNGGA", "$GNGSA", "$GNGSA", "$GNGST",
      ])
    var options = NMEADecoder.Options()
    options.emitsSatellites = true
    var decoder = NMEADecoder(options: options)
    let batch = decoder.decodeAll(bytes)
    #expect(batch.problems.total == 0)
    let views = batch.elements.compactMap { if case .satellites(let view) = $0 { view } else { nil } }
    #expect(Set(views.last?.satellites.map(\.number) ?? []) == [1, 2, 3, 4, 5, 68, 11])
    #expect(views.last?.satellites.first { $0.constellation == .glonass }?.azimuth == 0)
  }
}
