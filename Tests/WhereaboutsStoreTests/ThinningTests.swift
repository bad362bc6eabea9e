import Testing
import Whereabouts
import WhereaboutsEngine
import WhereaboutsModel
import WhereaboutsGeodesy
import WhereaboutsTesting

@testable import WhereaboutsStore

@Suite struct ThinningTests {
  /// A track with turns, rests, fast parts and gaps.
  private func randomTrack(_ random: inout SeededGenerator, fixes: Int) throws -> [LoggedFix] {
    var way: [LoggedFix] = [], here = try place(-0.001, 179.999), second: Int64 = 0
    var azimuth = 70.0, speed = 1.0
    for number in 0..<fixes {
      if number % 50 == 0 {
        azimuth += Double.random(in: -90...90, using: &random)
        speed = Double.random(in: 0...30, using: &random)
      }
      second += random.next() % 100 == 0 ? 400 : 1
      here = here.destination(azimuth: azimuth, distance: speed) ?? here
      let noisy = here.destination(
        azimuth: Double.random(in: 0..<360, using: &random),
        distance: Double.random(in: 0...3, using: &random))
      way.append(LoggedFix(try fix(second, noisy?.latitude ?? 0, noisy?.longitude ?? 0)))
    }
    return way
  }

  /// The distance from a fix to its interpolated place between its neighbours.
  private func deviation(_ fix: Fix, _ before: Fix, _ after: Fix) -> Double {
    guard let time = fix.time, let first = before.time, let last = after.time else { return .infinity }
    let path = Geodesic(from: before.coordinate, to: after.coordinate)
    let share = time.seconds(since: first) / last.seconds(since: first)
    let there = before.coordinate.destination(
      azimuth: path.initialAzimuth ?? 0, distance: share * path.distance)
    return there?.distance(to: fix.coordinate) ?? .infinity
  }

  @Test(arguments: [Duration.seconds(300), .seconds(Int64.max / 2)])
  func neighboursCenturiesApartAreRetained(gap: Duration) async throws {
    let times = [Int64.min + 1, -5_000_000_000_000_000_000, 0, 5_000_000_000_000_000_000, Int64.max - 1]
    let folder = try TemporaryFolder(), store = try SQLiteStore.open(at: folder.file)
    var with = commit(
      try times.map { time in
        var fix = try fix(0)
        fix.time = UTCTime(nanosecondsSince1970: time)
        return LoggedFix(fix)
      })
    with.snapshot = EngineSnapshot()
    try await store.commit(with)
    try store.thin(.this, error: 10, gap: gap)
    var left = 0
    try store.history(of: .this) { _ in left += 1 }
    #expect(gap > .seconds(300) ? left >= 2 : left == times.count)
  }

  @Test(arguments: [1, 2, 3, 4] as [UInt64], [0, 5, 40] as [Double])
  func thinnedHistoryIsWithinTheError(seed: UInt64, error: Double) async throws {
    var random = SeededGenerator(seed: seed)
    let folder = try TemporaryFolder()
    let store = try SQLiteStore.open(at: folder.file)
    let way = try randomTrack(&random, fixes: 5_000)
    var all = commit(way)
    all.snapshot = EngineSnapshot()
    try await store.commit(all)
    let gone = try store.thin(.this, error: error)
    var left: [Fix] = []
    try store.history(of: .this) { left.append($0.fix.fix) }
    #expect(left.count == way.count - gone)
    try #require(left.first == way.first?.fix && left.last == way.last?.fix)
    if error == 40 { #expect(gone > 3_500, "seed \(seed): only \(gone) fixes were removed") }
    var place = 0, worst = 0.0
    for (number, fix) in way.map(\.fix).enumerated() {
      try #require(left.indices.contains(place), "seed \(seed): fix \(number) is after all that is left")
      if left[place] != fix {
        worst = max(worst, deviation(fix, left[place - 1], left[place]))
      } else {
        if number > 0, let time = fix.time, let before = way[number - 1].fix.time,
          time.seconds(since: before) > 300
        {
          #expect(left[place - 1] == way[number - 1].fix, "seed \(seed): a fix beside a gap was removed")
        }
        place += 1
      }
    }
    #expect(place == left.count)
    #expect(worst <= error, "seed \(seed): a fix is \(worst) m off")
  }

  @Test func progressRisesToTheEndOfTheHistory() async throws {
    let folder = try TemporaryFolder(), store = try SQLiteStore.open(at: folder.file)
    var all = commit(try (0..<5_000).map { LoggedFix(try fix($0)) })
    all.snapshot = EngineSnapshot()
    try await store.commit(all)
    var shares: [Double] = [], last: UpkeepProgress?
    let gone = try store.thin(.this, error: 10) { progress in
      if progress.phase == .erasing { shares.append(progress.share) }
      last = progress
      return true
    }
    try #require(shares.count == 3)
    #expect(abs(shares[0] - 0.4) < 0.01 && abs(shares[1] - 0.8) < 0.01 && shares[2] == 1, "\(shares)")
    #expect(gone > 4_000 && last?.phase == .shrinking && last?.erased == gone)
  }

  @Test func fixesNeededByTheEngineAreRetained() async throws {
    let folder = try TemporaryFolder(), store = try SQLiteStore.open(at: folder.file)
    try await store.commit(commit(try (0..<1_000).map { LoggedFix(try fix($0)) }))
    #expect(try store.thin(.this, error: 100) == 0)
    #expect(try await store.load(.this).fixesSinceSnapshot.count == 1_000)
  }
}
