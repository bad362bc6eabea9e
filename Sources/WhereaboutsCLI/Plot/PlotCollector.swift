import WhereaboutsCore

/// Gathers what a plot shows of a way, in bounded memory.
struct PlotCollector: Sendable {
  private(set) var bins = PlotBins()
  /// Its gaps and stops.
  private(set) var tally = WayTally()
  private var clock = WayClock()
  /// What recordings before this one came to, in metres: each counts from nothing.
  private var before = 0.0
  private var variance = 0.0
  private var last: PlotBins.Sample?

  /// When the way began; `nil` where there is no point, or where times that went back were put elsewhere.
  var origin: UTCTime? { clock.isShifted ? nil : clock.origin }

  /// How many seconds the way took.
  var span: Double { clock.now }

  /// Another recording begins.
  mutating func beginRecording() {
    guard let last else { return }
    before = last.distance
    variance = last.uncertainty * last.uncertainty
  }

  /// Takes the next point in.
  mutating func take(_ point: TrackPoint) {
    tally.take(point)
    let sample = PlotBins.Sample(
      seconds: clock.advance(to: point.time), speed: max(point.speed, 0), distance: before + point.distance,
      uncertainty: (variance + point.uncertainty * point.uncertainty).squareRoot(), motion: point.motion)
    bins.add(sample, isDetached: point.link != .follows)
    last = sample
  }

  /// The way is over.
  mutating func finish() {
    tally.finish()
  }
}
