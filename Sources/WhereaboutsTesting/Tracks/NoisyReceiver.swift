import RealModule
import Whereabouts

/// A receiver that turns the truth into fixes with a time-correlated error.
struct NoisyReceiver {
  private let noise: ReceiverNoise
  private var random: SeededGenerator
  private var beginning: UTCTime?
  private var last: UTCTime?
  /// The correlated part of the error, in metres.
  private var east = 0.0
  private var north = 0.0

  init(_ noise: ReceiverNoise, seed: UInt64) {
    self.noise = noise
    random = SeededGenerator(seed: seed)
  }

  /// Returns the fix of an instant, or `nil` within a gap. Call this method with increasing instants.
  mutating func observe(_ truth: TrackBuilder.TruePoint) -> Fix? {
    let beginning = beginning ?? truth.time
    self.beginning = beginning
    wander(to: truth.time)
    let (whiteEast, whiteNorth) = (gaussian() * noise.whiteDeviation, gaussian() * noise.whiteDeviation)
    var error = (east: east + whiteEast, north: north + whiteNorth)
    if Double.random(in: 0..<1, using: &random) < noise.outlierShare {
      let direction = Double.random(in: 0..<2 * .pi, using: &random)
      error.east += noise.outlierDistance * Double.sin(direction)
      error.north += noise.outlierDistance * Double.cos(direction)
    }
    let speedError = gaussian()
    let sinceBeginning = truth.time.since(beginning)
    guard !noise.gaps.contains(where: { $0.contains(sinceBeginning) }) else { return nil }

    let place = truth.coordinate.destination(
      azimuth: Double.atan2(y: error.east, x: error.north) * 180 / .pi,
      distance: Double.hypot(error.east, error.north))
    var fix = Fix(
      coordinate: place ?? truth.coordinate, time: truth.time, source: .scripted, isSimulated: true)
    fix.horizontalAccuracy = noise.statedAccuracy
    if let deviation = noise.speedDeviation {
      fix.speed = max(0, truth.speed + deviation * speedError)
      fix.speedAccuracy = deviation
      fix.course = truth.course
    }
    return fix
  }

  private mutating func wander(to time: UTCTime) {
    guard let last else {
      self.last = time
      east = gaussian() * noise.deviation
      north = gaussian() * noise.deviation
      return
    }
    let elapsed = time.since(last) / noise.correlationTime
    let kept = Double.exp(-elapsed)
    let fresh = noise.deviation * (1 - kept * kept).squareRoot()
    east = kept * east + fresh * gaussian()
    north = kept * north + fresh * gaussian()
    self.last = time
  }

  /// Returns a number from the standard normal distribution, after Box and Muller (1958).
  private mutating func gaussian() -> Double {
    let radius = (-2 * Double.log(1 - Double.random(in: 0..<1, using: &random))).squareRoot()
    return radius * Double.cos(2 * .pi * Double.random(in: 0..<1, using: &random))
  }
}
