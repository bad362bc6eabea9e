package import WhereaboutsModel
import WhereaboutsGeodesy

/// A time interval of a track without fixes.
struct TrackGapInterval: Hashable, Sendable {
  var from: UTCTime
  var to: UTCTime
  /// The start of the gap, in seconds of the track's ``TrackClock``.
  var start: Double
  /// The geodesic between the ends of the gap, in metres.
  var straight = 0.0
  /// The bridged gap; `nil` if the recording states an interruption, for which no length is assumed.
  var bridge: TrackPoint.Gap?

  /// The duration in seconds.
  var seconds: Double { to.seconds(since: from) }
  /// Whether any length was counted for the gap.
  var isBridged: Bool { (bridge?.counted ?? 0) > 0 }
}

/// A stop of the device on its track.
package struct TrackStop: Hashable, Sendable {
  var from: UTCTime
  var to: UTCTime
  /// The start of the stop, in seconds of the track's ``TrackClock``.
  var start: Double
  var coordinate: Coordinate
  /// Seconds without a fix during the stop. The device was probably at rest then.
  var secondsWithoutFix = 0.0

  /// The duration in seconds.
  var seconds: Double { to.seconds(since: from) }
}

/// The statistics of a track, collected point by point in bounded memory: time and length of each motion, gaps and
/// stops.
package struct TrackStatistics: Sendable {
  /// The shortest reported stop in seconds. Shorter stops are traffic.
  static let shortestStop = 60.0
  /// The maximum numbers of retained gaps and stops; the longest are retained. A drawing looks the same without some of
  /// its gaps.
  static let limits = (gaps: 2000, stops: 200)
  /// The maximum distance between the ends of a gap, in metres, for a stop to continue across the gap.
  private static let stopReach = 100.0
  /// The maximum distance between the ends of a gap that counts as a stop, in metres. The same limit applies to the
  /// counted length and to its standard deviation. The limit is the error of two poor fixes. Bicycle computers record
  /// no points at rest.
  private static let pauseReach = 25.0
  /// The longest interruption that may be a stop, in seconds. The state during a longer interruption is unknown.
  private static let longestInterruption = 3600.0

  /// The duration and the length of one kind of motion.
  struct MotionShare: Hashable, Sendable {
    var seconds = 0.0
    var metres = 0.0
  }

  /// The share of each kind of motion, without gaps.
  private(set) var shares: [Motion: MotionShare] = [:]
  private(set) var gaps = LongestElements<TrackGapInterval>(limit: limits.gaps, length: \.seconds)
  private(set) var stops = LongestElements<TrackStop>(limit: limits.stops, length: \.seconds)
  /// The earliest and the latest time of a point; `nil` before the first point.
  private(set) var first: UTCTime?
  private(set) var last: UTCTime?
  /// The number of points.
  package private(set) var points = 0

  private(set) var clock = TrackClock()

  /// The times of the points that belong to earlier runs of the trip; `nil` without one. Their fixes are settled in this
  /// run, but were not travelled in it.
  private let earlierTimes: ClosedRange<UTCTime>?

  private var previous: TrackPoint?
  private var stop: TrackStop?
  /// The point since which no distance was counted; `nil` while the device moves. A standstill is recognized some
  /// seconds after its beginning.
  private var rest: (time: UTCTime, start: Double)?

  /// Creates the statistics of a run without points.
  ///
  /// - Parameter trip: the trip that the run resumes, as it was before the run; `nil` for a new one.
  package init(resuming trip: Trip? = nil) {
    if let end = trip?.provisionalTo, let start = trip?.settledTo ?? trip?.began, start <= end {
      earlierTimes = start...end
    } else {
      earlierTimes = nil
    }
  }

  /// Processes the next point.
  ///
  /// - Parameter longestBreak: the longest possible time without a fix, in seconds. A longer one is a receiver that has
  ///   found its date, and neither a gap nor a stop.
  package mutating func process(_ point: TrackPoint, longestBreak: Double = .infinity) {
    guard earlierTimes?.contains(point.time) != true else {
      // A gap that ends in this run counts in it.
      previous = point
      return
    }
    points += 1
    first = min(first ?? point.time, point.time)
    last = max(last ?? point.time, point.time)
    let from = previous?.time
    let start = clock.now
    _ = clock.advance(to: point.time)
    switch point.link {
    case .begins, .bridges:
      // A segment after a permanent step back in time has no gap before it.
      if let previous, point.time > previous.time,
        point.time.seconds(since: previous.time) <= longestBreak
      {
        processGap(from: previous, to: point, start: start)
      } else {
        endStop()
      }
    case .follows:
      if let previous {
        shares[point.motion, default: MotionShare()].seconds += point.time.seconds(since: previous.time)
        shares[point.motion, default: MotionShare()].metres += point.distance - previous.distance
      }
    }
    if point.link == .follows, let previous, point.distance == previous.distance {
      if rest == nil { rest = (previous.time, start) }
    } else {
      rest = nil
    }
    processStandstill(point, since: point.link == .follows ? from.map { ($0, start) } : nil)
    previous = point
  }

  /// Ends the track.
  package mutating func finish() {
    endStop()
  }

  private mutating func processGap(from previous: TrackPoint, to point: TrackPoint, start: Double) {
    var gap = TrackGapInterval(
      from: previous.time, to: point.time, start: start,
      straight: previous.coordinate.distance(to: point.coordinate))
    if case .bridges(let bridge) = point.link {
      gap.straight = bridge.geodesic
      gap.bridge = bridge
    }
    guard !isPause(gap) else {
      if stop == nil {
        stop = TrackStop(
          from: rest?.time ?? gap.from, to: gap.to, start: rest?.start ?? start,
          coordinate: previous.coordinate)
      }
      stop?.to = gap.to
      stop?.secondsWithoutFix += gap.seconds
      return
    }
    gaps.add(gap)
    if gap.bridge == nil || gap.straight > Self.stopReach { endStop() }
  }

  /// Returns whether the device was probably at rest during a gap: at the same place, and longer than in traffic.
  private func isPause(_ gap: TrackGapInterval) -> Bool {
    guard gap.seconds >= Self.shortestStop, gap.straight <= Self.pauseReach else { return false }
    guard let bridge = gap.bridge else { return gap.seconds <= Self.longestInterruption }
    return bridge.counted <= Self.pauseReach && bridge.uncertainty <= Self.pauseReach
  }

  private mutating func processStandstill(_ point: TrackPoint, since before: (time: UTCTime, start: Double)?)
  {
    guard point.motion == .still else { return endStop() }
    if stop == nil {
      let before = rest ?? before
      stop = TrackStop(
        from: before?.time ?? point.time, to: point.time, start: before?.start ?? clock.now,
        coordinate: point.coordinate)
    } else {
      stop?.to = point.time
    }
  }

  private mutating func endStop() {
    guard let stop else { return }
    if stop.seconds >= Self.shortestStop { stops.add(stop) }
    self.stop = nil
    // The next stop begins after this one, even if no distance is counted between them.
    rest = nil
  }
}
