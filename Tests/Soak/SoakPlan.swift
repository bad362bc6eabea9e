import Whereabouts
import WhereaboutsGeodesy
import WhereaboutsTesting

/// The places of the device, second by second: at home and at work, in the car between them, and on foot around them.
struct SoakPlan {
  /// A stretch of time of which the truth is known.
  struct Segment {
    enum Kind { case rest, walk, drive }
    var kind: Kind
    /// Seconds since the beginning.
    var startSecond: Int
    var seconds: Int
    fileprivate var track: TrackBuilder
    fileprivate var fixes: [Fix] = []
  }

  static let start = UTCTime(nanosecondsSince1970: 1_780_272_000_000_000_000)  // 2026-06-01
  private static let longestRest = 1800
  private static let day = 86_400

  let home: Coordinate
  let work: Coordinate
  private var random: SeededGenerator
  private var place: Coordinate
  private(set) var segment: Segment
  private let seed: UInt64

  init(seed: UInt64) {
    self.seed = seed
    random = SeededGenerator(seed: seed)
    home = Coordinate(uncheckedLatitude: 47.3769, longitude: 8.5417)
    work = Geodesic(from: home, azimuth: 62, distance: 9000)?.end ?? home
    place = home
    segment = Self.rest(at: home, from: 0, seconds: 600)
  }

  /// The fix of a second as a good receiver makes it; seconds must not go back.
  mutating func fix(at second: Int) -> Fix? {
    advance(to: second)
    if segment.fixes.isEmpty {
      // Only if used, since this takes most of the time of a run.
      segment.fixes = segment.track.fixes(
        every: .seconds(1), noise: .goodReceiver, seed: seed &+ UInt64(segment.startSecond))
    }
    let index = second - segment.startSecond
    return segment.fixes.indices.contains(index) ? segment.fixes[index] : nil
  }

  /// Goes on to the stretch of a second.
  mutating func advance(to second: Int) {
    while second >= segment.startSecond + segment.seconds {
      segment = nextSegment(from: segment.startSecond + segment.seconds)
    }
  }

  private mutating func nextSegment(from second: Int) -> Segment {
    let time = second % Self.day
    let isAtHome = Geodesic(from: place, to: home).distance < 300
    switch time {
    case 27_000..<30_000 where isAtHome: return travel(to: work, .drive, from: second)
    case 43_200..<45_000 where !isAtHome && segment.kind == .rest: return walkAround(from: second)
    case 61_200..<66_000 where !isAtHome: return travel(to: home, .drive, from: second)
    case 70_200..<72_000 where isAtHome && segment.kind == .rest: return walkAround(from: second)
    default:
      let marks = [27_000, 43_200, 61_200, 70_200, Self.day]
      let until = marks.first { $0 > time } ?? Self.day
      return Self.rest(at: place, from: second, seconds: min(Self.longestRest, until - time))
    }
  }

  private static func rest(at place: Coordinate, from second: Int, seconds: Int) -> Segment {
    var track = TrackBuilder(from: place, at: start.advanced(by: .seconds(second)))
    track.rest(for: .seconds(seconds))
    return Segment(kind: .rest, startSecond: second, seconds: seconds, track: track)
  }

  /// By a detour, at the speeds of streets.
  private mutating func travel(to goal: Coordinate, _ kind: Segment.Kind, from second: Int) -> Segment {
    var track = TrackBuilder(from: place, at: Self.start.advanced(by: .seconds(second)))
    for _ in 0..<3 {
      let way = Geodesic(from: place, to: goal)
      let azimuth = (way.initialAzimuth ?? 0) + .random(in: -40...40, using: &random)
      step(&track, azimuth, way.distance * 0.3, .random(in: 9...22, using: &random))
      if Bool.random(using: &random) { track.rest(for: .seconds(Int.random(in: 5...60, using: &random))) }
    }
    let way = Geodesic(from: place, to: goal)
    step(&track, way.initialAzimuth ?? 0, way.distance, 12)
    place = goal
    return makeSegment(track, kind, second)
  }

  /// Around the block and back.
  private mutating func walkAround(from second: Int) -> Segment {
    let start = place
    var track = TrackBuilder(from: place, at: Self.start.advanced(by: .seconds(second)))
    for _ in 0..<4 {
      step(&track, .random(in: 0..<360, using: &random), .random(in: 100...500, using: &random), 1.4)
    }
    let way = Geodesic(from: place, to: start)
    step(&track, way.initialAzimuth ?? 0, max(1, way.distance), 1.4)
    place = start
    return makeSegment(track, .walk, second)
  }

  private mutating func step(
    _ track: inout TrackBuilder, _ azimuth: Double, _ distance: Double, _ speed: Double
  ) {
    track.move(azimuth: azimuth, distance: distance, speed: speed)
    place = Geodesic(from: place, azimuth: azimuth, distance: distance)?.end ?? place
  }

  private func makeSegment(_ track: TrackBuilder, _ kind: Segment.Kind, _ second: Int) -> Segment {
    let seconds = Int((track.duration / .seconds(1)).rounded(.up))
    return Segment(kind: kind, startSecond: second, seconds: max(1, seconds), track: track)
  }
}
