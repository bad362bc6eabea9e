import WhereaboutsCore
import WhereaboutsGeodesy

/// A stretch of time on a way without fixes.
struct WayGap: Hashable, Sendable {
  var from: UTCTime
  var to: UTCTime
  /// When it began, in seconds of the way's own ``WayClock``.
  var start: Double
  /// The geodesic from its one end to the other, in metres.
  var straight = 0.0
  /// How it was bridged; `nil` where the recording says that the way is interrupted, and nothing is assumed.
  var bridge: TrackGap?

  /// How long it was, in seconds.
  var seconds: Double { to.seconds(since: from) }
  /// Whether anything was counted for it.
  var isBridged: Bool { (bridge?.counted ?? 0) > 0 }
}

/// A time at which the device stood on its way.
struct WayStop: Hashable, Sendable {
  var from: UTCTime
  var to: UTCTime
  /// When it began, in seconds of the way's own ``WayClock``.
  var start: Double
  var coordinate: Coordinate
  /// How many seconds of it there was no fix; it stood then as far as can be told.
  var silence = 0.0

  /// How long it was, in seconds.
  var seconds: Double { to.seconds(since: from) }
}

/// How a way was made, gathered point by point in bounded memory: the time and length of each kind of motion, the gaps
/// and the stops.
struct WayTally: Sendable {
  /// The shortest time of standing, in seconds, that is a stop worth telling: shorter ones are traffic.
  static let shortestStop = 60.0
  /// Gaps and stops kept; there may be more. Gaps are drawn, and look alike where some are left out.
  static let kept = (gaps: 2000, stops: 200)
  /// How far apart the ends of a gap may be, in metres, for a stop to go on over it.
  private static let reachOfStop = 100.0
  /// How far apart the ends of a gap may be, in metres, and how much may be counted for it with one standard deviation
  /// each, for the gap to be a stop: what two poor fixes are off. Bicycle computers record nothing while they stand.
  private static let reachOfPause = 25.0
  /// The longest interruption, in seconds, that may be a stop: of what was in a longer one nothing is known.
  private static let longestInterruption = 3600.0

  /// How long and how far it went in one way.
  struct Share: Hashable, Sendable {
    var seconds = 0.0
    var metres = 0.0
  }

  /// The shares of each kind of motion; gaps have none.
  private(set) var shares: [Motion: Share] = [:]
  private(set) var gaps = LongestFew<WayGap>(limit: kept.gaps, length: \.seconds)
  private(set) var stops = LongestFew<WayStop>(limit: kept.stops, length: \.seconds)
  /// The times of the first and the last point.
  private(set) var first: UTCTime?
  private(set) var last: UTCTime?
  /// Points taken in.
  private(set) var points = 0

  private(set) var clock = WayClock()

  private var previous: TrackPoint?
  private var stop: WayStop?

  /// Takes the next point in.
  mutating func take(_ point: TrackPoint) {
    points += 1
    first = min(first ?? point.time, point.time)
    last = max(last ?? point.time, point.time)
    let from = previous?.time
    let start = clock.now
    _ = clock.advance(to: point.time)
    switch point.link {
    case .begins, .bridges:
      // A journey after one whose time went back for good has no gap before it.
      if let previous, point.time > previous.time {
        takeGap(from: previous, to: point, start: start)
      } else {
        endStop()
      }
    case .follows:
      if let previous {
        shares[point.motion, default: Share()].seconds += point.time.seconds(since: previous.time)
        shares[point.motion, default: Share()].metres += point.distance - previous.distance
      }
    }
    takeStanding(point, since: point.link == .follows ? from.map { ($0, start) } : nil)
    previous = point
  }

  /// The way is over.
  mutating func finish() {
    endStop()
  }

  private mutating func takeGap(from previous: TrackPoint, to point: TrackPoint, start: Double) {
    var gap = WayGap(
      from: previous.time, to: point.time, start: start,
      straight: previous.coordinate.distance(to: point.coordinate))
    if case .bridges(let bridge) = point.link {
      gap.straight = bridge.geodesic
      gap.bridge = bridge
    }
    guard !isPause(gap) else {
      if stop == nil {
        stop = WayStop(from: gap.from, to: gap.to, start: start, coordinate: previous.coordinate)
      }
      stop?.to = gap.to
      stop?.silence += gap.seconds
      return
    }
    gaps.add(gap)
    if gap.bridge == nil || gap.straight > Self.reachOfStop { endStop() }
  }

  /// Whether the device stood in a gap, as far as can be told: it is where it was, for longer than traffic takes.
  private func isPause(_ gap: WayGap) -> Bool {
    guard gap.seconds >= Self.shortestStop, gap.straight <= Self.reachOfPause else { return false }
    guard let bridge = gap.bridge else { return gap.seconds <= Self.longestInterruption }
    return bridge.counted <= Self.reachOfPause && bridge.uncertainty <= Self.reachOfPause
  }

  private mutating func takeStanding(_ point: TrackPoint, since before: (time: UTCTime, start: Double)?) {
    guard point.motion == .still else { return endStop() }
    if stop == nil {
      stop = WayStop(
        from: before?.time ?? point.time, to: point.time, start: before?.start ?? clock.now,
        coordinate: point.coordinate)
    } else {
      stop?.to = point.time
    }
  }

  private mutating func endStop() {
    if let stop, stop.seconds >= Self.shortestStop { stops.add(stop) }
    stop = nil
  }
}
