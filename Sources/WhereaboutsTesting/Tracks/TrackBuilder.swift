public import Whereabouts
import WhereaboutsGeodesy

/// A builder of tracks with known truth: the device's place and travelled distance at each instant.
///
/// Begin at a place, then add legs and rests. ``truth(every:)`` returns the true points, and
/// ``fixes(every:noise:seed:)`` the fixes of a simulated receiver.
///
/// ```swift
/// var track = TrackBuilder(from: home, at: noon)
/// track.rest(for: .seconds(60))
/// track.move(azimuth: 90, distance: 400, speed: 1.4)
/// track.move(azimuth: 0, distance: 250, speed: 1.4)
/// let fixes = track.fixes(every: .seconds(1), noise: .goodReceiver, seed: 1)
/// ```
public struct TrackBuilder: Sendable {
  /// A leg: a geodesic travelled at constant speed, or a rest.
  private struct Leg: Sendable {
    var start: Coordinate
    var azimuth: Double
    var distance: Double
    var duration: Double
    /// The seconds and metres from the track's beginning to the leg's.
    var elapsed: Double
    var travelled: Double
  }

  /// The true state of the device at one instant.
  public struct TruePoint: Hashable, Sendable {
    /// The instant.
    public var time: UTCTime
    /// The place of the device.
    public var coordinate: Coordinate
    /// The speed in metres per second.
    public var speed: Double
    /// The course in degrees from true north in [0, 360); `nil` at rest.
    public var course: Double?
    /// The travelled distance in metres.
    public var travelled: Double
  }

  private let beginning: UTCTime
  private var legs: [Leg] = []
  private var place: Coordinate
  private var elapsed = 0.0
  private var travelled = 0.0

  /// Creates a track that begins at a place and an instant.
  public init(from place: Coordinate, at beginning: UTCTime) {
    self.place = place
    self.beginning = beginning
  }

  /// The duration of the track.
  public var duration: Duration { .seconds(elapsed) }

  /// The length of the track, in metres.
  public var length: Double { travelled }

  /// Adds a rest at the current place.
  public mutating func rest(for duration: Duration) {
    add(azimuth: 0, distance: 0, seconds: duration / .seconds(1))
  }

  /// Adds a leg along a geodesic.
  ///
  /// - Parameters:
  ///   - azimuth: the direction at the start, in degrees from true north.
  ///   - distance: in metres, above 0.
  ///   - speed: in metres per second, above 0.
  public mutating func move(azimuth: Double, distance: Double, speed: Double) {
    precondition(distance > 0 && speed > 0, "a leg goes somewhere")
    add(azimuth: azimuth, distance: distance, seconds: distance / speed)
  }

  private mutating func add(azimuth: Double, distance: Double, seconds: Double) {
    precondition(seconds >= 0 && seconds.isFinite)
    legs.append(
      Leg(
        start: place, azimuth: azimuth, distance: distance, duration: seconds, elapsed: elapsed,
        travelled: travelled))
    if distance > 0 {
      guard let end = place.destination(azimuth: azimuth, distance: distance) else {
        preconditionFailure("no leg of \(distance) m at \(azimuth)°")
      }
      place = end
    }
    elapsed += seconds
    travelled += distance
  }

  /// Returns the true points at every step from the beginning, including the end if a step meets it.
  public func truth(every step: Duration) -> [TruePoint] {
    let step = step / .seconds(1)
    precondition(step > 0, "time moves forward")
    var points: [TruePoint] = []
    var leg = 0
    for index in 0...Int((elapsed / step + 1e-9).rounded(.down)) {
      let now = min(Double(index) * step, elapsed)
      while leg + 1 < legs.count, legs[leg + 1].elapsed <= now { leg += 1 }
      points.append(truth(at: now, in: legs.isEmpty ? nil : legs[leg]))
    }
    return points
  }

  private func truth(at seconds: Double, in leg: Leg?) -> TruePoint {
    let time = beginning.advanced(by: .seconds(seconds))
    guard let leg, leg.distance > 0 else {
      return TruePoint(
        time: time, coordinate: leg?.start ?? place, speed: 0, course: nil, travelled: leg?.travelled ?? 0)
    }
    let share = min((seconds - leg.elapsed) / leg.duration, 1)
    let gone = Geodesic(from: leg.start, azimuth: leg.azimuth, distance: share * leg.distance)
    return TruePoint(
      time: time, coordinate: gone?.end ?? leg.start, speed: leg.distance / leg.duration,
      course: gone?.finalAzimuth ?? leg.azimuth, travelled: leg.travelled + share * leg.distance)
  }

  /// Returns the fixes of a simulated receiver on the track.
  ///
  /// - Parameters:
  ///   - interval: the time between two fixes.
  ///   - noise: the error model of the receiver.
  ///   - seed: equal seeds give equal fixes.
  public func fixes(every interval: Duration, noise: ReceiverNoise, seed: UInt64) -> [Fix] {
    var receiver = NoisyReceiver(noise, seed: seed)
    return truth(every: interval).compactMap { receiver.observe($0) }
  }
}
