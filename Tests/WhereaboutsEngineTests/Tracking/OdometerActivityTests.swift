import Foundation
import Testing
import WhereaboutsEngine
import WhereaboutsModel
import WhereaboutsGeodesy
import WhereaboutsTesting

/// The activity as a prior, which enough fixes overrule.
struct OdometerActivityTests {
  /// A walk at 1.4 m/s with a fix every 5 s; one in a given number of fixes is far to the side.
  private static func walk(withSpikeEvery period: Int) -> [Fix] {
    var track = TrackBuilder(from: KnownTrack.lisbon, at: KnownTrack.noon)
    track.move(azimuth: 45, distance: 1400, speed: 1.4)
    var noise = ReceiverNoise.goodReceiver
    noise.speedDeviation = nil
    return track.fixes(every: .seconds(5), noise: noise, seed: 3).enumerated().map { index, fix in
      var fix = fix
      fix.speed = nil
      fix.course = nil
      // As from a poor fix among good ones: 15 m/s there and back.
      if index % period == period / 2, let off = fix.coordinate.destination(azimuth: 135, distance: 75) {
        fix.coordinate = off
        fix.horizontalAccuracy = 12
      }
      return fix
    }
  }

  @Test func walkActivityIgnoresSpikes() {
    // So many outliers that an odometer without an activity accepts them.
    let fixes = Self.walk(withSpikeEvery: 4)
    let known = OdometerRun(fixes, activity: .walk), unknown = OdometerRun(fixes)
    #expect(abs(known.distance - 1400) < 0.25 * 1400, "\(known.distance)")
    #expect(unknown.distance > 2 * known.distance, "\(unknown.distance)")
    #expect(known.totals.fastest < 5 && known.totals.fastest < unknown.totals.fastest)
    #expect(known.points.allSatisfy { [.unknown, .still, .moving, .walking, .running].contains($0.motion) })
  }

  @Test(arguments: [Activity.walk, .other]) func loneSpikeIsIgnoredForAnyActivity(activity: Activity) {
    let way = OdometerRun(Self.walk(withSpikeEvery: 40), activity: activity)
    #expect(abs(way.distance - 1400) < 0.02 * 1400 && way.totals.fastest < 5, "\(way.distance)")
  }

  @Test func impossibleStatedSpeedIsIgnoredOnFoot() {
    var track = TrackBuilder(from: KnownTrack.lisbon, at: KnownTrack.noon)
    track.move(azimuth: 45, distance: 1400, speed: 1.4)
    let fixes = track.fixes(every: .seconds(1), noise: .goodReceiver, seed: 1).enumerated().map {
      index, fix in
      var fix = fix
      if index % 50 == 25 { fix.speed = 15 }
      return fix
    }
    #expect(abs(OdometerRun(fixes, activity: .walk).distance - 1400) < 0.03 * 1400)
    #expect(OdometerRun(fixes, activity: .walk).totals.fastest < OdometerRun(fixes).totals.fastest)
  }

  @Test func gapIsBridgedByTheUsualSpeed() {
    var track = TrackBuilder(from: KnownTrack.lisbon, at: KnownTrack.noon)
    track.move(azimuth: 90, distance: 300, speed: 10)
    let before = track.fixes(every: .seconds(1), noise: .goodReceiver, seed: 1)
    track.move(azimuth: 0, distance: 3000, speed: 10)
    let all = track.fixes(every: .seconds(1), noise: .goodReceiver, seed: 1)
    let fixes = before + all.dropFirst(before.count + 240)
    let bridged = [Activity.walk, .other, .car].map { OdometerRun(fixes, activity: $0).totals.bridged }
    #expect(bridged[0] < bridged[1] && bridged[1] < bridged[2], "\(bridged)")
  }

  @Test func sustainedMotionOverridesTheActivity() {
    let track = KnownTrack.drive()
    let fixes = track.fixes(every: .seconds(1), noise: .goodReceiver, seed: 1)
    let way = OdometerRun(fixes, activity: .walk)
    #expect(abs(way.distance - track.length) < 0.03 * track.length)
    #expect(way.points.contains { $0.motion == .driving })
  }

  @Test(arguments: Activity.allCases) func odometerContinuesAfterRestore(activity: Activity) throws {
    let fixes = KnownTrack.walk().fixes(every: .seconds(1), noise: .goodReceiver, seed: 2)
    var odometer = Odometer(activity: activity)
    for fix in fixes.prefix(200) { odometer.process(fix) { _ in } }
    var read = try JSONDecoder().decode(Odometer.self, from: JSONEncoder().encode(odometer))
    for fix in fixes.dropFirst(200) {
      odometer.process(fix) { _ in }
      read.process(fix) { _ in }
    }
    #expect(read.totals == odometer.totals && read.totals.distance > 0)
  }
}
