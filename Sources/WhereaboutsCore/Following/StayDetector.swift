import WhereaboutsGeodesy

/// Finds stays in a stream of fixes, by nothing but their places, accuracies and times.
///
/// A stay is a set of fixes within ``VisitTerms/radius`` of their weighted mean over ``VisitTerms/minimumStay``, which
/// goes nowhere meanwhile (`StayWindow.settle`). Its arrival is told once it has lasted so long, its departure once it
/// is certain; the two alternate.
///
/// - **Outside** is a fix whose whole accuracy circle is further from the mean than the radius. A fix whose circle
///   still touches the place says nothing.
/// - **A departure** takes two fixes outside, or more, over a fifth of the minimum stay (a minute at most), with none
///   inside between them, and each nearer to the one before than to the place. So neither a fix that
///   was thrown far off ends a stay, nor a short excursion of an error that wanders. The times told do not suffer: the stay
///   ended between the last fix inside and the first outside, however much later that is known. After a silence
///   it is the same, only that the two are further apart.
/// - **The mean** of a stay is over all its fixes alike, so the longer it lasts the less it moves; nobody drags it along.
/// - **A fix without an accuracy** counts as one of half the radius. **A fix without a time**, or earlier than the
///   one before, is passed over.
///
/// Fixes aren't kept, only sums over slices of time, so the state does not grow. A fix that tells nothing allocates nothing.
///
/// - Source: a stay as fixes within a distance over a time is Hariharan and Toyama, "Project Lachesis" (GIScience 2004), and
///   Li et al., "Mining user similarity based on location history" (ACM GIS 2008); places as pauses before that in
///   Ashbrook and Starner (Personal and Ubiquitous Computing 7, 2003). Fix by fix, by the distance from a cluster's
///   mean and with a second cluster waiting beside it, is Kang et al., "Extracting places from traces of
///   locations" (WMASH 2004). Accuracy circles, the drift and the two bounds of a departure are ours.
struct StayDetector: Sendable {
  /// A stay whose arrival was told.
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
  /// What may become the next stay. During one, only fixes outside it.
  private var window: StayWindow
  /// The latest fix, if it lay outside the window: an error, or the first of somewhere else.
  private var stray: StaySample?
  private var lastTime: UTCTime?

  init(_ terms: VisitTerms) {
    // Terms that were decoded or changed have not been through their initialiser.
    let terms = VisitTerms(radius: terms.radius, minimumStay: terms.minimumStay)
    radius = terms.radius
    minimumStay = terms.minimumStay.clampedNanoseconds
    window = StayWindow(radius: radius, minimumStay: minimumStay)
  }

  /// What this fix makes known, in order: nothing most often; a stay that has ended, one that is long enough now.
  mutating func take(_ timed: TimedFix) -> [Visit] {
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

  /// Time begins anew: later fixes may be of earlier times.
  ///
  /// A stay is over then, since its times and the new ones can't be put in order; a device that has not moved
  /// arrives again.
  ///
  /// - Returns: the stay that this ends, without ``Visit/leftBefore``.
  @discardableResult
  mutating func restart() -> Visit? {
    defer {
      stay = nil
      lastTime = nil
      forgetAway()
    }
    return stay.map { Self.visit($0, departure: $0.fixes.last) }
  }

  private mutating func forgetAway() {
    away = nil
    stray = nil
    window.removeAll()
  }

  /// Takes a fix during a stay; the stay if that ends it.
  private mutating func departure(with sample: StaySample) -> Visit? {
    guard let stay else { return nil }
    let point = stay.plane.point(of: sample.coordinate)
    let distance = point.distance(to: stay.fixes.middle)
    switch StaySide(distance: distance, accuracy: sample.accuracy, radius: radius) {
    case .unclear:
      return nil
    case .inside:
      self.stay?.fixes.add(point, accuracy: sample.accuracy, time: sample.time, radius: radius)
      if away != nil { forgetAway() }
      return nil
    case .outside:
      guard let away, away.latest.distance(to: sample.coordinate, within: 1) < distance else {
        // The first one, or one in quite another direction: one of the two is an error.
        forgetAway()
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

  /// Takes a fix that belongs to no stay; the stay if that makes one.
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
    guard stay == nil, window.settle(), let plane = window.plane, let fixes = window.total else { return nil }
    let stay = Stay(plane: plane, fixes: fixes)
    self.stay = stay
    forgetAway()
    return Self.visit(stay)
  }

  private static func visit(_ stay: Stay, departure: UTCTime? = nil, leftBefore: UTCTime? = nil) -> Visit {
    Visit(
      coordinate: stay.plane.coordinate(at: stay.fixes.middle) ?? stay.plane.origin,
      accuracy: stay.fixes.accuracy, arrival: stay.fixes.first, departure: departure, leftBefore: leftBefore)
  }
}
