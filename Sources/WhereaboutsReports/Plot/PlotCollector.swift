import WhereaboutsModel

/// A collector of a plot's points from a track, in bounded memory.
package struct PlotCollector: Sendable {
  private(set) var bins = PlotBins()
  /// The gaps and stops of the track.
  private(set) var statistics = TrackStatistics()
  private var clock = TrackClock()
  /// The distance of earlier recordings, in metres. Each recording counts from 0.
  private var previousDistance = 0.0
  private var previousVariance = 0.0
  private var last: PlotBins.Sample?

  /// The start of the track; `nil` without points, or if points were shifted because their time went back.
  var origin: UTCTime? { clock.isShifted ? nil : clock.origin }

  /// The duration of the track, in seconds.
  var span: Double { clock.now }

  /// Begins another recording.
  mutating func beginRecording() {
    guard let last else { return }
    previousDistance = last.distance
    previousVariance = last.uncertainty * last.uncertainty
  }

  /// Adds the next point.
  mutating func add(_ point: TrackPoint) {
    statistics.process(point)
    let sample = PlotBins.Sample(
      seconds: clock.advance(to: point.time), speed: max(point.speed, 0),
      distance: previousDistance + point.distance,
      uncertainty: (previousVariance + point.uncertainty * point.uncertainty).squareRoot(),
      motion: point.motion)
    bins.add(sample, isDetached: point.link != .follows)
    last = sample
  }

  /// Ends the track.
  mutating func finish() {
    statistics.finish()
  }
}
