import Testing
import WhereaboutsModel
import WhereaboutsGeodesy
import WhereaboutsTesting

@testable import WhereaboutsFormats

/// From what receivers say of their errors to radii at 68 %.
@Suite struct ErrorEstimateTests {
  private func fix(_ bodies: String..., options: NMEADecoder.Options = .init()) throws -> Fix {
    try #require(decodeSentences(bodies, options: options).fixes.first)
  }

  private static let gst = "GPGST,101112,,,,,3.0,4.0,6.5"
  private static let gbs = "GPGBS,101112,6.0,8.0,9.5,,,,"
  private static let pgrme = "PGRME,3.0,M,4.0,M,5.0,M"
  private static let pubx =
    "PUBX,00,101112,\(SampleSentences.place),448.0,G3,2.0,3.0,0.0,0.0,0.0,,0.9,1.5,1.0,8,0,0"

  // MARK: - Precedence of estimates

  @Test func errorSourcesArePreferredInOrder() throws {
    let gga = SampleSentences.gga("101112")
    let all = try fix(gga, Self.pubx, Self.pgrme, Self.gbs, Self.gst)
    #expect(isNear(all.horizontalAccuracy, 5 * ErrorEstimate.radius(forAxisRatio: 0.75)))
    #expect(all.verticalAccuracy == 6.5)
    #expect(!all.isAccuracyEstimated)
    let gbs = try fix(gga, Self.pubx, Self.pgrme, Self.gbs)
    #expect(isNear(gbs.horizontalAccuracy, 10 * ErrorEstimate.radius(forAxisRatio: 0.75)))
    #expect(gbs.verticalAccuracy == 9.5)
    let pgrme = try fix(gga, Self.pubx, Self.pgrme)
    #expect(isNear(pgrme.horizontalAccuracy, 3 * 1.2869))
    #expect(isNear(pgrme.verticalAccuracy, 4 * 1.4826))
    let pubx = try fix(gga, Self.pubx)
    #expect(isNear(pubx.horizontalAccuracy, 2 * 1.0714))
    #expect(pubx.verticalAccuracy == 3)
    #expect(!pubx.isAccuracyEstimated)
    let dilutions = try fix(gga, SampleSentences.gsa("3"))
    #expect(isNear(dilutions.horizontalAccuracy, 0.9 * 5))
    #expect(isNear(dilutions.verticalAccuracy, 1.5 * 5))
    #expect(dilutions.isAccuracyEstimated)
  }

  @Test func accuracyIsAbsentWithoutErrorFields() throws {
    let fix = try fix(SampleSentences.rmc("101112"))
    #expect(fix.horizontalAccuracy == nil)
    #expect(fix.verticalAccuracy == nil)
    #expect(!fix.isAccuracyEstimated)
  }

  @Test(arguments: [
    "GPGST,101112,,,,,,,", "GPGST,101112,,,,,0.0,0.0,0.0", "GPGST,101112,1.0,,,,-1.0,2.0,",
    "GPGST,101111,,,,,3.0,4.0,6.5",
    "PGRME,0.00,M,0.00,M,29.40,M", "PGRME,3.0,F,4.0,F,5.0,F", "PGRME,,M,,M,,M",
  ])
  func emptyOrOtherEpochErrorsAreIgnored(_ body: String) throws {
    #expect(try fix(SampleSentences.gga("101112"), body).isAccuracyEstimated)
  }

  @Test func fix2DHasNoVerticalAccuracy() throws {
    let fix = try fix(SampleSentences.gga("101112"), SampleSentences.gsa("2"), Self.gst)
    #expect(fix.horizontalAccuracy != nil)
    #expect(fix.verticalAccuracy == nil)
  }

  @Test(
    arguments: [
      ("1", 5.0), ("2", 2.5), ("3", 5), ("4", 0.02), ("5", 0.4), ("6", nil), ("7", nil), ("8", nil), ("9", 5),
    ] as [(String, Double?)])
  func dilutionsAreScaledByTheSolution(_ quality: String, _ meters: Double?) throws {
    let fix = try fix(SampleSentences.gga("101112", quality: quality, hdop: "2.0"))
    #expect(fix.horizontalAccuracy == meters.map { $0 * 2 })
    #expect(fix.isAccuracyEstimated == (meters != nil))
  }

  @Test func estimatesAreRounded() throws {
    for (dilution, text) in [("1.4", "7"), ("0.7", "3.5"), ("2.3", "11.5"), ("0.86", "4.3")] {
      var json: [UInt8] = []
      var writer = JSONLinesWriter()
      writer.write(try fix(SampleSentences.gga("101112", hdop: dilution)), to: &json)
      #expect(String(decoding: json, as: UTF8.self).contains("\"hacc\":\(text),"))
    }
  }

  @Test func customRangingErrorIsUsed() throws {
    var options = NMEADecoder.Options()
    options.rangingErrors.autonomous = 10
    #expect(try fix(SampleSentences.gga("101112", hdop: "2.0"), options: options).horizontalAccuracy == 20)
  }

  @Test func verticalDilutionIsDerivedFromTheOthers() throws {
    let fix = try fix(
      SampleSentences.gga("101112", hdop: "3.0"), SampleSentences.gsa("3", dilutions: "5.0,3.0,"))
    #expect(fix.verticalAccuracy == 20)
  }

  @Test func dilutionsAreHeldForTenSeconds() {
    let bodies = [
      SampleSentences.gga("101112"), SampleSentences.rmc("101113"), SampleSentences.rmc("101122"),
      SampleSentences.rmc("101123"),
    ]
    #expect(decodeSentences(bodies).fixes.map { $0.horizontalAccuracy != nil } == [true, true, true, false])
  }

  // MARK: - The conversion

  /// Monte Carlo: the share of normally distributed errors that the radius holds.
  @Test(arguments: [0.0, 0.15, 0.35, 0.5, 0.75, 1.0]) func radiusContains68Percent(ratio: Double) {
    var random = SeededGenerator(seed: 68)
    let radius = ErrorEstimate(latitude: 2, longitude: 2 * ratio, height: 1).horizontal ?? 0
    let count = 20_000
    var inside = 0
    for _ in 0..<count {
      let north = 2 * normal(&random), east = 2 * ratio * normal(&random)
      if north * north + east * east <= radius * radius { inside += 1 }
    }
    // Three standard deviations of the count are 1 %.
    #expect(isNear(Double(inside) / Double(count), 0.6827, within: 0.01))
  }

  /// The sum of twelve equal distributions is nearly normal, with a deviation of one.
  private func normal(_ random: inout SeededGenerator) -> Double {
    (0..<12).reduce(0.0) { sum, _ in sum + Double.random(in: -0.5..<0.5, using: &random) }
  }

  private func isNear(_ value: Double?, _ expected: Double, within tolerance: Double = 0.001) -> Bool {
    value.map { abs($0 - expected) <= tolerance } ?? false
  }

  /// An ellipse that lies across the axes: 5 m and 1 m at 45° have the same deviations north and east.
  @Test func errorEllipseIsPreferred() {
    let each = (Double(13)).squareRoot()
    let slanted = ErrorEstimate(latitude: each, longitude: each, height: nil, majorAxis: 5, minorAxis: 1)
    let upright = ErrorEstimate(latitude: 5, longitude: 1, height: nil)
    #expect(isNear(slanted.horizontal, upright.horizontal ?? 0, within: 1e-12))
  }
}
