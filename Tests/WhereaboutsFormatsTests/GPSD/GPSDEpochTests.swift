import Testing
import WhereaboutsModel

@testable import WhereaboutsFormats

/// The reports of an instant that form its fix.
@Suite struct GPSDEpochTests {
  private func tpv(_ second: Int?, mode: Int = 3, lat: Double? = 47.5, _ members: String = "") -> String {
    GPSDText.tpv(second, mode: mode, lat: lat, members)
  }

  @Test func epochIsEmittedOnceAndAtOnce() {
    let batch = GPSDText.batch(
      tpv(0), tpv(0, #""jam":3"#), tpv(1), tpv(1, lat: 47.6), tpv(2))
    #expect(batch.summaries == ["fix 0", "again", "fix 1", "again", "fix 2"])
  }

  @Test func reportWithoutPositionIsMergedIntoTheNextFix() {
    let batch = GPSDText.batch(
      tpv(0, lat: nil, #""speed":2.5,"eph":10,"altMSL":400"#), tpv(0, #""eph":20"#))
    #expect(batch.summaries == ["fix 0"])
    #expect(batch.fixes.first?.speed == 2.5)
    #expect(batch.fixes.first?.heightAboveGeoid == 400)
    #expect(batch.fixes.first?.horizontalAccuracy == 12.38)
  }

  @Test func laterErrorEstimatesAreWaitedForFromTheSecondEpoch() {
    let whole = #""eph":10"#
    let batch = GPSDText.batch(
      tpv(0), tpv(0, whole), tpv(1), tpv(1, whole), tpv(2), tpv(2, whole),
      // One that has it at once is given at once.
      tpv(3, whole), tpv(3, whole))
    #expect(batch.summaries == ["fix 0", "again", "fix 1", "fix 2", "fix 3", "again"])
    #expect(batch.fixes.map(\.horizontalAccuracy) == [nil, 6.19, 6.19, 6.19])
  }

  @Test func waitingEndsWhenErrorEstimatesStop() {
    let batch = GPSDText.batch(tpv(0), tpv(0, #""eph":10"#), tpv(1), tpv(2), tpv(3))
    #expect(batch.summaries == ["fix 0", "again", "fix 1", "fix 2", "fix 3"])
  }

  @Test func oldPositionAfterALossIsARepetition() {
    let batch = GPSDText.batch(
      tpv(0), tpv(1), tpv(1, mode: 1, lat: nil), tpv(1), tpv(0), tpv(1), tpv(2, mode: 1, lat: nil), tpv(1),
      tpv(3))
    #expect(batch.summaries == ["fix 0", "fix 1", "again", "again", "again", "none", "again", "fix 3"])
  }

  @Test func oldPositionsAreIgnoredAfterReconnection() {
    var decoder = GPSDDecoder()
    var batch = GPSDBatch()
    decoder.decode(Array((tpv(5) + "\n" + tpv(6) + "\n{\"class\":\"TP").utf8), into: &batch)
    decoder.disconnect()
    decoder.decode(Array((tpv(6) + "\n" + tpv(7) + "\n").utf8), into: &batch)
    #expect(batch.summaries == ["fix 5", "fix 6", "again", "fix 7"])
    #expect(batch.problems.total == 0, "what a connection broke off is no fault of the next")
  }

  @Test func alternatingEpochsAreEmittedOnceEach() {
    // As some SiRF receivers make gpsd report: the present second and the one before.
    let batch = GPSDText.batch([14, 15, 14, 15, 16, 15, 16, 17, 16].map { tpv($0) })
    #expect(batch.fixes.map(\.time) == [14, 15, 16, 17].map(GPSDText.time))
  }

  @Test func clockSetBackRestartsTheTimeline() {
    let batch = GPSDText.batch(tpv(100), tpv(97), tpv(95), tpv(96), tpv(99), tpv(3))
    #expect(batch.summaries == ["fix 100", "again", "fix 95", "fix 96", "fix 99", "fix 3"])
  }

  @Test func timelessReportsAreComparedByPlace() {
    let batch = GPSDText.batch(
      tpv(nil), tpv(nil, #""epv":3"#), tpv(nil, lat: 47.6), tpv(nil), tpv(0), tpv(nil), tpv(nil))
    #expect(batch.summaries == ["fix -", "again", "fix -", "fix -", "fix 0", "fix -", "again"])
    #expect(batch.fixes.first?.time == nil)
  }

  @Test func modesWithoutPositionAreReported() {
    let none = { (second: Int, mode: Int) in tpv(second, mode: mode, lat: nil) }
    #expect(GPSDText.batch(none(0, 0), none(1, 0)).summaries == ["none", "none"])
    #expect(GPSDText.batch(none(0, 1), tpv(1), none(2, 1)).summaries == ["none", "fix 1", "none"])
    // The mode of an instant's first part may not be known yet.
    #expect(
      GPSDText.batch(tpv(0), none(1, 0), tpv(1), none(2, 0), tpv(2)).summaries == ["fix 0", "fix 1", "fix 2"])
    #expect(GPSDText.batch(tpv(0), none(1, 0), none(2, 0)).summaries == ["fix 0", "none"])
    #expect(
      GPSDText.batch(none(0, 3), tpv(1)).summaries == ["fix 1"],
      "a mode alone is no position and no loss of one")
    #expect(GPSDText.batch(tpv(0, mode: 1)).summaries == ["none"], "a position without a mode is none")
  }

  @Test func devicesAreSeparate() {
    let batch = GPSDText.batch(
      GPSDText.tpv(0, device: "a"), GPSDText.tpv(0, device: "b"), GPSDText.tpv(0, device: "a"),
      GPSDText.tpv(1, device: nil))
    #expect(batch.summaries == ["fix 0", "fix 0", "again", "fix 1"])
    #expect(
      batch.reports.compactMap { if case .fix(_, let device) = $0 { device ?? "-" } else { nil } } == [
        "a", "b", "-",
      ])
  }

  @Test func fixIncludesTheLatestSky() {
    let sky =
      #"{"class":"SKY","device":"/dev/ttyACM0","time":"2024-06-01T12:00:01.000Z","hdop":1.25,"vdop":2,"pdop":2.5,"nSat":9,"uSat":7}"#
    let batch = GPSDText.batch(tpv(0), sky, tpv(1, #""eph":10"#), tpv(2), tpv(13))
    #expect(batch.fixes.map(\.horizontalDilution) == [nil, 1.25, 1.25, nil])
    #expect(batch.fixes.map(\.satellitesUsed) == [nil, 7, 7, nil])
    #expect(batch.fixes.map(\.horizontalAccuracy) == [nil, 6.19, 6.25, nil])
    #expect(batch.fixes.map(\.isAccuracyEstimated) == [false, false, true, false])
  }

  /// Without a receiver's own `eps`, gpsd divides the sum of two positions' errors by the time between them. The first
  /// report stands for a connection's first, whose previous position is not known.
  ///
  /// The seconds between two reports, members of both, and the resulting accuracies of the speed.
  @Test(
    arguments: [
      // NMEA 0183 at 1 Hz.
      (1, #""epx":11.16,"epy":9.3,"eps":22.32,"epd":71.3"#, [nil, nil]),
      (2, #""epx":2.587,"epy":5.7,"eps":5.7,"epd":71.3"#, [nil, nil]),
      // Slow receivers: the first value may be the receiver's own.
      (5, #""epx":11.16,"epy":9.3,"eps":4.46"#, [2.276, nil]),
      (10, #""epx":2.85,"epy":2.55,"eps":0.57"#, [0.291, nil]),
      (60, #""epx":11.16,"epy":9.3,"eps":0.37"#, [0.189, nil]),
      // A receiver's own.
      (1, #""epx":2.85,"epy":2.55,"eps":0.73,"epd":5"#, [0.372, 0.372]),
      (1, #""epx":24.191,"epy":16.321,"eps":0.64"#, [0.327, 0.327]),
      (10, #""epx":2.85,"epy":2.55,"eps":0.29"#, [0.148, 0.148]),
      (10, #""epx":2.85,"epy":2.55,"eps":1.5"#, [0.765, 0.765]),
      (1, #""eph":5.145,"eps":1.37"#, [0.699, 0.699]), (1, #""eps":0.17"#, [0.087, 0.087]),
    ] as [(Int, String, [Double?])])
  func speedErrorComputedFromPositionsIsLeftOut(seconds: Int, members: String, accuracies: [Double?]) {
    let batch = GPSDText.batch(tpv(0, members), tpv(seconds, members))
    #expect(batch.fixes.map(\.speedAccuracy) == accuracies, "\(members)")
    let statesTrack = members.contains("epd")
    #expect(batch.fixes.map { $0.courseAccuracy != nil } == accuracies.map { statesTrack && $0 != nil })
  }

  @Test func speedErrorComputedFromChangedErrorsIsLeftOut() {
    let batch = GPSDText.batch(
      tpv(0, #""epx":2,"epy":2"#), tpv(10, #""epx":6,"epy":2,"eps":0.8"#),
      tpv(20, #""epx":2,"epy":1,"eps":0.8"#), tpv(30, #""epx":2,"epy":2,"eps":0.8"#))
    #expect(batch.fixes.map(\.speedAccuracy) == [nil, nil, nil, 0.408])
  }

  /// A report at a tenth of a second, as of a receiver at 10 Hz.
  @Test func speedErrorsAtTenHertzAreToldApart() {
    func tenth(_ tenth: Int, _ eps: Double) -> String {
      #"{"class":"TPV","device":"a","mode":3,"time":"2024-06-01T12:00:00.\#(tenth)00Z","lat":47.5,"lon":8.25,"#
        + #""epx":1.913,"epy":2.025,"eps":\#(eps)}"#
    }
    #expect(GPSDText.batch(tenth(1, 40.5), tenth(2, 40.5)).fixes.map(\.speedAccuracy) == [nil, nil])
    #expect(GPSDText.batch(tenth(1, 0.41), tenth(2, 0.41)).fixes.map(\.speedAccuracy) == [0.209, 0.209])
  }
}
