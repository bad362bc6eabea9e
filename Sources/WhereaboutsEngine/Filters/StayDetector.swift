import WhereaboutsModel
import WhereaboutsGeodesy

/// A detector of stays in a stream of fixes, from their places, accuracies and times alone.
///
/// A stay is a set of fixes within `VisitTerms/radius` of their weighted mean over `VisitTerms/minimumStay`, without
/// drift (`StayWindow.trimToStay()`). The arrival is reported once the stay has lasted so long, the departure once it
/// is certain; the two alternate.
///
/// - **Outside** is a fix whose whole accuracy circle is farther from the mean than the radius. A fix whose circle
///   still touches the place is no evidence.
/// - **A departure** requires at least two fixes outside, over a fifth of the minimum stay (a minute at most), without
///   a fix inside between them. Each must be nearer to the one before than to the place. So neither a single outlier
///   nor a short excursion of a wandering error ends a stay. The reported times stay exact: the stay ended between the
///   last fix inside and the first outside, however late the report. A silence only increases the time between the two.
/// - **The mean** of a stay weighs all its fixes, so a longer stay moves less, and a slow drift does not drag it along.
/// - **A fix without an accuracy** counts as one of half the radius. **A fix without a time**, or earlier than the one
///   before, is ignored.
///
/// The detector stores sums over slices of time, not fixes, so its state does not grow. A fix without a result
/// allocates nothing.
///
/// - Source: a stay as fixes within a distance over a time is Hariharan and Toyama, "Project Lachesis" (GIScience
///   2004), and Li et al., "Mining user similarity based on location history" (ACM GIS 2008). Before that, places as
/// pauses are in Ashbrook and Starner (Personal and Ubiquitous Computing 7, 2003). Kang et al., "Extracting places from
/// traces of locations" (WMASH 2004), process fix by fix, by the distance from a cluster's mean and with a second
/// cluster waiting beside it. Accuracy circles, the drift and the two bounds of a departure are this package's own.
struct StayDetector: Sendable {
  /// A stay whose arrival was reported.
  private struct Stay: Sendable {
    let plane: LocalPlane
    var fixes: StayCluster
  }

  /// The fixes outside a stay since the last one inside.
  private struct Away: Sendable {
    var since: UTCTime
    var latest: Coordinate
  }

  private let radius: Double
  private let minimumStay: Int64
  private var stay: Stay?
  private var away: Away?
  /// The candidate for the next stay. During a stay, only fixes outside it.
  private var window: StayWindow
  /// The latest fix, if it lay outside the window: an error, or the first of somewhere else.
  private var stray: StaySample?
  private var lastTime: UTCTime?

  init(_ terms: VisitTerms) {
    // Decoded or changed terms have not been through the initializer.
    let terms = VisitTerms(radius: terms.radius, minimumStay: terms.minimumStay)
    radius = terms.radius
    minimumStay = terms.minimumStay.clampedNanoseconds
    window = StayWindow(radius: radius, minimumStay: minimumStay)
  }

  /// Returns the visits that a fix reveals, in order: mostly none, else a stay that has ended or one that is long
  /// enough.
  mutating func process(_ timed: TimedFix) -> [Visit] {
    guard let time = timed.fix.time, lastTime.map({ time >= $0 }) ?? true else { return [] }
    let accuracy = timed.fix.horizontalAccuracy ?? radius / 2
    guard accuracy >= 0, accuracy.isFinite else { return [] }
    lastTime = time
    let sample = StaySample(coordinate: timed.fix.coordinate, accuracy: accuracy, time: time)
    let departed = departure(with: sample)
    let arrived = stay == nil || away != nil ? arrival(with: sample) : nil
    guard departed != nil || arrived != nil else { return [] }
    return [departed, arrived].compactMap { $0 }
  }

  /// Restarts the timeline: later fixes may be of earlier times.
  ///
  /// A present stay ends, since its times and the new ones can't be ordered. A device that has not moved arrives
  /// again.
  ///
  /// - Returns: the stay that this ends, without `Visit/leftBefore`.
  @discardableResult
  mutating func restartTimeline() -> Visit? {
    defer {
      stay = nil
      lastTime = nil
      clearAway()
    }
    return stay.map { Self.visit($0, departure: $0.fixes.last) }
  }

  private mutating func clearAway() {
    away = nil
    stray = nil
    window.removeAll()
  }

  /// Processes a fix during a stay; returns the stay if the fix ends it.
  private mutating func departure(with sample: StaySample) -> Visit? {
    guard let stay else { return nil }
    let point = stay.plane.point(of: sample.coordinate)
    let distance = point.distance(to: stay.fixes.center)
    switch StaySide(distance: distance, accuracy: sample.accuracy, radius: radius) {
    case .unclear:
      return nil
    case .inside:
      self.stay?.fixes.add(point, accuracy: sample.accuracy, time: sample.time, radius: radius)
      if away != nil { clearAway() }
      return nil
    case .outside:
      guard let away, away.latest.distance(to: sample.coordinate, within: 1) < distance else {
        // The first fix outside, or one in quite another direction: one of the two is an error.
        clearAway()
        self.away = Away(since: sample.time, latest: sample.coordinate)
        return nil
      }
      self.away?.latest = sample.coordinate
      let certain = min(minimumStay / 5, 60_000_000_000)
      guard sample.time.nanoseconds(since: away.since) >= certain else { return nil }
      self.stay = nil
      self.away = nil
      return Self.visit(stay, departure: stay.fixes.last, leftBefore: away.since)
    }
  }

  /// Processes a fix that belongs to no stay; returns the stay if the fix completes one.
  private mutating func arrival(with sample: StaySample) -> Visit? {
    guard let (side, distance) = window.side(of: sample) else {
      window.begin(with: sample)
      return nil
    }
    switch side {
    case .unclear:
      return nil
    case .inside:
      stray = nil
      window.add(sample)
    case .outside:
      guard let stray, stray.coordinate.distance(to: sample.coordinate, within: 1) < distance else {
        self.stray = sample
        return nil
      }
      self.stray = nil
      window.begin(with: stray)
      if window.side(of: sample)?.side == .inside {
        window.add(sample)
      } else {
        window.begin(with: sample)
      }
    }
    guard stay == nil, window.trimToStay(), let plane = window.plane, let fixes = window.total else {
      return nil
    }
    let stay = Stay(plane: plane, fixes: fixes)
    self.stay = stay
    clearAway()
    return Self.visit(stay)
  }

  private static func visit(_ stay: Stay, departure: UTCTime? = nil, leftBefore: UTCTime? = nil) -> Visit {
    Visit(
      coordinate: stay.plane.coordinate(at: stay.fixes.center) ?? stay.plane.origin,
      accuracy: stay.fixes.accuracy, arrival: stay.fixes.first, departure: departure, leftBefore: leftBefore)
  }
}
