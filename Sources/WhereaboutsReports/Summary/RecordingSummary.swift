import WhereaboutsModel
import WhereaboutsGeodesy

/// The summary of a recording, built fix by fix.
///
/// Only accepted fixes are added, in their order. Refused fixes are only counted. The summary needs up to 400 kB for
/// a recording of any length.
package struct RecordingSummary: Sendable {
  /// The number of accepted fixes.
  package private(set) var accepted = 0
  /// The number of refused fixes by reason.
  private(set) var refused: [String: Int] = [:]
  /// The number of named places.
  private(set) var waypoints = 0
  private(set) var routePoints = 0
  private(set) var tracks = 0
  private(set) var segments = 0
  /// The number of accepted fixes without a time.
  private(set) var untimed = 0
  /// The number of times that the recording's time went back permanently.
  private(set) var restarts = 0

  /// The earliest and the latest time of a fix.
  private(set) var firstTime: UTCTime?
  private(set) var lastTime: UTCTime?
  /// Horizontal accuracies, in metres.
  private(set) var accuracies = Distribution()
  /// Whether accuracies were estimated instead of stated by the source.
  private(set) var hasEstimatedAccuracies = false
  /// Seconds from the first fix to the first fix of each level, the least demanding level first.
  private(set) var reached: [LevelReached] = AccuracyLevel.standard.reversed().map { LevelReached(level: $0) }

  /// Sum of the geodesics between successive fixes of a segment, in metres.
  private(set) var length = 0.0
  private(set) var speeds = SpeedMeter()
  private(set) var climb = ClimbMeter()
  /// The box around the accepted fixes; `nil` without any.
  private(set) var box: BoundingBox?
  private(set) var gaps = GapMeter()

  private var previous: Fix?
  /// The time of the last fix of the previous segment, if it was timed.
  private var segmentEnd: UTCTime?

  /// The time at which a level was first reached.
  struct LevelReached: Sendable {
    var level: AccuracyLevel
    /// Seconds since the first fix; `nil` if the level was never reached.
    var after: Double?
  }

  /// The number of fixes, accepted or not.
  var fixes: Int { accepted + refused.values.reduce(0, +) }

  /// Seconds between the earliest and the latest time of an accepted fix; `nil` without times.
  var duration: Double? {
    guard let firstTime, let lastTime else { return nil }
    return lastTime.seconds(since: firstTime)
  }

  // MARK: Input

  /// Counts a refused fix.
  mutating func refuse(_ reason: String) {
    refused[reason, default: 0] += 1
  }

  /// Begins a segment. The next fixes do not continue the earlier fixes.
  mutating func beginSegment() {
    segments += 1
    endSegment()
  }

  /// Begins the fixes of another device, which do not continue the earlier fixes.
  mutating func beginDevice() {
    segments += 1
    previous = nil
    segmentEnd = nil
  }

  /// Begins another track.
  mutating func beginTrack() {
    tracks += 1
    endSegment()
    climb.interrupt()
  }

  private mutating func endSegment() {
    segmentEnd = previous?.time ?? segmentEnd
    previous = nil
  }

  /// Records the first time of a level, in seconds after the first fix.
  mutating func reach(_ level: AccuracyLevel, after seconds: Double) {
    guard let index = reached.firstIndex(where: { $0.level == level }) else { return }
    reached[index].after = seconds
  }

  /// Begins another track after the recording's time went back permanently.
  mutating func restart() {
    restarts += 1
    previous = nil
    segmentEnd = nil
    climb.interrupt()
  }

  mutating func countWaypoint() { waypoints += 1 }

  mutating func countRoutePoint() { routePoints += 1 }

  /// Adds an accepted fix.
  mutating func accept(_ fix: Fix) {
    accepted += 1
    if let time = fix.time {
      firstTime = min(firstTime ?? time, time)
      lastTime = max(lastTime ?? time, time)
    } else {
      untimed += 1
    }
    addAccuracy(of: fix)
    if let speed = fix.speed { speeds.add(stated: speed) }
    if let height = fix.heightAboveGeoid ?? fix.heightAboveEllipsoid {
      climb.add(height: height, accuracy: fix.verticalAccuracy)
    }
    if box?.insert(fix.coordinate) == nil { box = BoundingBox(fix.coordinate) }
    if let previous {
      step(from: previous, to: fix)
    } else if let segmentEnd, let time = fix.time {
      gaps.addPause(seconds: time.seconds(since: segmentEnd), from: segmentEnd)
    }
    previous = fix
    segmentEnd = nil
  }

  private mutating func addAccuracy(of fix: Fix) {
    guard let accuracy = fix.horizontalAccuracy else { return }
    accuracies.add(accuracy)
    if fix.isAccuracyEstimated { hasEstimatedAccuracies = true }
  }

  private mutating func step(from start: Fix, to end: Fix) {
    let metres = start.coordinate.distance(to: end.coordinate)
    length += metres
    guard let startTime = start.time, let endTime = end.time else { return }
    let seconds = endTime.seconds(since: startTime)
    speeds.addStep(metres: metres, seconds: seconds, stated: end.speed)
    gaps.add(seconds: seconds, from: startTime)
  }
}
