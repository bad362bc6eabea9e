import WhereaboutsGeodesy

/// Measures how far the device has come, from fixes that are noisy, late, doubled or missing.
///
/// Fixes may come in any order within ``OdometerSettings/lateness``; doubled ones do no harm. The way is settled a while
/// after it was made, when later fixes have said more of it; settled figures never change and never fall.
public struct Odometer: Sendable {
  /// What it was made with.
  public let settings: OdometerSettings
  /// What is settled.
  public private(set) var totals = TrackTotals()
  /// How far the device has come since ``settledTo``, in metres, as it seems now.
  public private(set) var ahead = 0.0
  /// Until when the way is settled.
  public private(set) var settledTo: UTCTime?
  /// The fixes that can't be placed: without a time, or later than the bound.
  public private(set) var leftOut = 0

  private var last: (time: UTCTime, coordinate: Coordinate)?

  /// An odometer at zero.
  public init(_ settings: OdometerSettings = OdometerSettings(), activity: Activity = .other) {
    self.settings = settings
  }

  /// Takes a fix.
  ///
  /// - Parameter settled: called with each point that is settled now, the earliest first.
  public mutating func take(_ fix: Fix, settled: (TrackPoint) -> Void) {
    guard let time = fix.time, last.map({ time > $0.time }) ?? true else {
      leftOut += 1
      return
    }
    var link = TrackPoint.Link.begins
    if let last {
      totals.distance += last.coordinate.distance(to: fix.coordinate)
      totals.elapsed += time.seconds(since: last.time)
      link = .follows
    } else {
      totals.segments += 1
    }
    last = (time, fix.coordinate)
    settledTo = time
    settled(
      TrackPoint(
        time: time, coordinate: fix.coordinate, distance: totals.distance, uncertainty: totals.uncertainty,
        speed: fix.speed ?? 0, motion: .unknown, link: link))
  }

  /// What comes next does not continue what came before: settles all, and counts nothing in between.
  public mutating func breakOff(settled: (TrackPoint) -> Void) {
    last = nil
  }
}
