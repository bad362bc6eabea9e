import WhereaboutsEngine
import WhereaboutsModel
import WhereaboutsGeodesy
package import WhereaboutsTesting

/// The error of an odometer on tracks of one shape and pace, with a fix every second and without stated speeds.
package struct ShapeScore: Sendable {
  /// The receiver of a run.
  package enum Receiver: String, CaseIterable, Sendable {
    /// Exact fixes that state 1 m.
    case exact
    /// ``ReceiverNoise/wandering``.
    case noise
  }

  /// The mean error in % of the length; at rest in metres an hour.
  package private(set) var meanError = 0.0
  /// The mean of the magnitude of the error, in metres.
  package private(set) var meanOff = 0.0
  /// The mean stated uncertainty, in metres.
  package private(set) var meanUncertainty = 0.0
  /// The share of runs whose true length lies within the stated uncertainty, in [0, 1].
  package private(set) var shareWithin = 0.0

  /// Measures a shape once for each seed, each time in another direction.
  package init(
    _ shape: TrackShape, at pace: TrackShape.Pace, _ receiver: Receiver, seeds: ClosedRange<UInt64>
  ) {
    let runs = Double(seeds.count)
    for seed in seeds {
      let track = shape.track(
        at: pace, from: Self.place, beginning: Self.beginning, heading: Double(seed % 360) * 31)
      var odometer = Odometer()
      for fix in Self.fixes(of: track, receiver, seed: seed) { odometer.process(fix) { _ in } }
      odometer.endSegment { _ in }
      let error = odometer.totals.distance - track.length
      meanError += (track.length > 0 ? 100 * error / track.length : error) / runs
      meanOff += error.magnitude / runs
      meanUncertainty += odometer.totals.uncertainty / runs
      if error.magnitude <= odometer.totals.uncertainty { shareWithin += 1 / runs }
    }
  }

  private static func fixes(of track: TrackBuilder, _ receiver: Receiver, seed: UInt64) -> [Fix] {
    guard receiver == .exact else { return track.fixes(every: .seconds(1), noise: .wandering, seed: seed) }
    var noise = ReceiverNoise.none
    noise.speedDeviation = nil
    return track.fixes(every: .seconds(1), noise: noise, seed: seed).map { fix in
      var fix = fix
      fix.horizontalAccuracy = 1
      return fix
    }
  }

  private static let beginning = UTCTime(nanosecondsSince1970: 1_714_651_200_000_000_000)
  private static let place = Coordinate(latitude: 38.7108, longitude: -9.3901)!
}
