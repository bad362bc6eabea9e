import Testing
import Whereabouts
import WhereaboutsTesting

@Suite struct TrackBuilderTests {
  private let noon = UTCTime(nanosecondsSince1970: 1_717_243_200_000_000_000)

  private func walk() throws -> TrackBuilder {
    var track = TrackBuilder(from: try #require(Coordinate(latitude: 47, longitude: 8)), at: noon)
    track.rest(for: .seconds(30))
    track.move(azimuth: 90, distance: 140, speed: 1.4)
    track.move(azimuth: 0, distance: 70, speed: 1.4)
    track.rest(for: .seconds(20))
    return track
  }

  @Test func truthEqualsTheBuiltTrack() throws {
    let track = try walk()
    let truth = track.truth(every: .seconds(1))
    #expect(track.duration == .seconds(200))
    #expect(track.length == 210)
    #expect(truth.count == 201)
    #expect(truth.first?.travelled == 0)
    #expect(truth.last?.travelled == 210)
    #expect(truth[30].course == 90)
    #expect(truth[100].speed == 1.4)
    #expect(truth[190].course == nil)
    // Step by step it goes as far as it says.
    let sum = zip(truth, truth.dropFirst()).reduce(0) { $0 + $1.0.coordinate.distance(to: $1.1.coordinate) }
    #expect(abs(sum - 210) < 0.3, "the corner is cut within one second")
    #expect(zip(truth, truth.dropFirst()).allSatisfy { $0.travelled <= $1.travelled })
  }

  @Test func noiselessFixesEqualTheTruth() throws {
    let track = try walk()
    let truth = track.truth(every: .seconds(5))
    let fixes = track.fixes(every: .seconds(5), noise: .none, seed: 1)
    #expect(fixes.count == truth.count)
    for (fix, point) in zip(fixes, truth) {
      #expect(fix.coordinate.distance(to: point.coordinate) < 1e-6)
      #expect(fix.time == point.time)
      #expect(fix.speed == point.speed)
    }
  }

  @Test func fixesDependOnTheSeed() throws {
    let track = try walk()
    let fixes = track.fixes(every: .seconds(1), noise: .cityPhone, seed: 5)
    #expect(fixes == track.fixes(every: .seconds(1), noise: .cityPhone, seed: 5))
    #expect(fixes != track.fixes(every: .seconds(1), noise: .cityPhone, seed: 6))
  }

  @Test func statedAccuracyContainsTwoThirdsOfFixes() throws {
    var track = TrackBuilder(from: try #require(Coordinate(latitude: 60, longitude: 179.9999)), at: noon)
    track.rest(for: .seconds(200_000))
    let here = track.truth(every: .seconds(200_000))[0].coordinate
    // Fixes far enough apart to know nothing of one another.
    let fixes = track.fixes(every: .seconds(500), noise: .goodReceiver, seed: 11)
    let within = fixes.filter { $0.coordinate.distance(to: here) <= $0.horizontalAccuracy ?? 0 }.count
    let share = Double(within) / Double(fixes.count)
    // 401 fixes: the share's own deviation is 2.3 %.
    #expect(abs(share - 0.6827) < 0.07)
  }

  @Test func errorsAreCorrelatedOverShortTimes() throws {
    var track = TrackBuilder(from: try #require(Coordinate(latitude: 0, longitude: 0)), at: noon)
    track.rest(for: .seconds(20_000))
    let fixes = track.fixes(every: .seconds(1), noise: .goodReceiver, seed: 3)
    func meanStep(_ apart: Int) -> Double {
      let steps = zip(fixes, fixes.dropFirst(apart)).map { $0.coordinate.distance(to: $1.coordinate) }
      return steps.reduce(0, +) / Double(steps.count)
    }
    #expect(meanStep(1) < 0.5)
    #expect(meanStep(1000) > 2)
  }

  @Test func gapsAndOutliersAreWhereConfigured() throws {
    var noise = ReceiverNoise.none
    noise.gaps = [.seconds(50) ..< .seconds(60)]
    noise.outlierShare = 1
    noise.outlierDistance = 300
    let track = try walk()
    let fixes = track.fixes(every: .seconds(1), noise: noise, seed: 1)
    #expect(fixes.count == 191)
    #expect(!fixes.contains { (50..<60).contains(($0.time ?? noon).seconds(since: noon)) })
    let start = track.truth(every: .seconds(1))[0].coordinate
    #expect(abs(fixes[0].coordinate.distance(to: start) - 300) < 1e-6)
  }
}
