import WhereaboutsCore
import WhereaboutsGeodesy

/// What a recording amounts to, gathered fix by fix.
///
/// Only accepted fixes go in, in their order; those refused are only counted. Memory is bounded: up to 300 kB, whatever
/// the length of the recording.
struct RecordingSummary: Sendable {
  /// Fixes accepted.
  private(set) var accepted = 0
  /// Fixes refused, by reason.
  private(set) var refused: [String: Int] = [:]
  /// Named places, points of routes, tracks and segments that the recording holds.
  private(set) var waypoints = 0
  private(set) var routePoints = 0
  private(set) var tracks = 0
  private(set) var segments = 0
  /// Fixes accepted that do not say when they were made.
  private(set) var untimed = 0
  /// How often the recording's time went back for good.
  private(set) var restarts = 0

  /// The earliest and the latest time of a fix.
  private(set) var firstTime: UTCTime?
  private(set) var lastTime: UTCTime?
  /// Horizontal accuracies, in metres.
  private(set) var accuracies = Distribution()
  /// Whether accuracies were worked out from something else than what the source states.
  private(set) var hasEstimatedAccuracies = false
  /// Seconds from the first fix until one reached each level, the least demanding level first.
  private(set) var reached: [LevelReached] = AccuracyLevel.standard.reversed().map { LevelReached(level: $0) }

  /// Sum of the geodesics between successive fixes of a segment, in metres.
  private(set) var length = 0.0
  private(set) var speeds = SpeedMeter()
  private(set) var climb = ClimbMeter()
  private(set) var box: BoundingBox?
  private(set) var gaps = GapMeter()

  private var previous: Fix?

  /// When a level was first reached.
  struct LevelReached: Sendable {
    var level: AccuracyLevel
    /// Seconds since the first fix; `nil` where it never was.
    var after: Double?
  }

  /// Fixes read, accepted or not.
  var fixes: Int { accepted + refused.values.reduce(0, +) }

  /// Seconds between the earliest and the latest fix.
  var duration: Double? {
    guard let firstTime, let lastTime else { return nil }
    return lastTime.seconds(since: firstTime)
  }

  // MARK: What comes in

  /// A fix was not accepted.
  mutating func refuse(_ reason: String) {
    refused[reason, default: 0] += 1
  }

  /// What comes next does not continue what came before.
  mutating func beginSegment() {
    segments += 1
    previous = nil
  }

  /// Another journey begins.
  mutating func beginTrack() {
    tracks += 1
    previous = nil
    climb.interrupt()
  }

  /// A level was reached for the first time, so many seconds after the first fix.
  mutating func reach(_ level: AccuracyLevel, after seconds: Double) {
    guard let index = reached.firstIndex(where: { $0.level == level }) else { return }
    reached[index].after = seconds
  }

  /// Time went back for good: what comes next is another journey, though the recording does not say so.
  mutating func restart() {
    restarts += 1
    previous = nil
    climb.interrupt()
  }

  mutating func countWaypoint() { waypoints += 1 }

  mutating func countRoutePoint() { routePoints += 1 }

  /// A fix was accepted.
  mutating func accept(_ fix: Fix) {
    accepted += 1
    if let time = fix.time {
      firstTime = min(firstTime ?? time, time)
      lastTime = max(lastTime ?? time, time)
    } else {
      untimed += 1
    }
    take(accuracyOf: fix)
    if let speed = fix.speed { speeds.add(stated: speed) }
    if let height = fix.heightAboveGeoid ?? fix.heightAboveEllipsoid {
      climb.add(height: height, accuracy: fix.verticalAccuracy)
    }
    if box?.insert(fix.coordinate) == nil { box = BoundingBox(fix.coordinate) }
    if let previous { step(from: previous, to: fix) }
    previous = fix
  }

  private mutating func take(accuracyOf fix: Fix) {
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
