public import Whereabouts

/// A track of a simple shape, by whose known length a measured distance is judged.
///
/// Speeds are constant on each leg and change at once between legs: harder than any device moves, so that no rounded
/// corner hides an error. Most legs last whole seconds; exact fixes each second then add up to the true length.
///
/// ```swift
/// let track = TrackShape.circle.track(at: .bicycle, from: home, beginning: noon, heading: 30)
/// let fixes = track.fixes(every: .seconds(1), noise: .wandering, seed: 1)
/// ```
public enum TrackShape: String, CaseIterable, Hashable, Sendable {
  /// A straight line of 1,000 s.
  case line
  /// Rounds of 50 m radius, for 1,000 s.
  case tightCircle
  /// Rounds of 200 m radius, for 1,000 s.
  case circle
  /// Two rounds of a square with a stop of 60 s at each corner.
  case longStops
  /// Two rounds of a square with a stop of 20 s at each corner.
  case shortStops
  /// A straight line, there and back, three times, without a stop.
  case outAndBack
  /// Legs of 28 m with turns of 90 degrees, to the left and the right.
  case zigzag
  /// A rest of an hour.
  case rest

  /// The speed of a track.
  public enum Pace: String, CaseIterable, Hashable, Sendable {
    case slowWalk, walk, bicycle, car

    /// The speed in metres per second.
    public var speed: Double {
      switch self {
      case .slowWalk: 0.4
      case .walk: 1.4
      case .bicycle: 5
      case .car: 15
      }
    }
  }

  /// The paces at which devices travel on such tracks; a rest has one.
  public var paces: [Pace] {
    switch self {
    case .line, .circle, .longStops, .shortStops, .outAndBack: Pace.allCases
    case .tightCircle, .zigzag: [.slowWalk, .walk, .bicycle]
    case .rest: [.walk]
    }
  }

  /// Returns the track.
  ///
  /// - Parameters:
  ///   - pace: the speed of the device.
  ///   - place: the beginning of the track.
  ///   - beginning: the instant at which the track begins.
  ///   - heading: the direction of the first leg, in degrees from true north.
  public func track(
    at pace: Pace, from place: Coordinate, beginning: UTCTime, heading: Double
  ) -> TrackBuilder {
    var track = TrackBuilder(from: place, at: beginning)
    let speed = pace.speed
    switch self {
    case .line: track.move(azimuth: heading, distance: 1000 * speed, speed: speed)
    case .tightCircle: track.moveInCircles(radius: 50, heading: heading, distance: 1000 * speed, speed: speed)
    case .circle: track.moveInCircles(radius: 200, heading: heading, distance: 1000 * speed, speed: speed)
    case .longStops: track.moveInSquares(heading: heading, speed: speed, stop: .seconds(60))
    case .shortStops: track.moveInSquares(heading: heading, speed: speed, stop: .seconds(20))
    case .outAndBack:
      for leg in 0..<6 {
        track.move(azimuth: heading + Double(leg % 2) * 180, distance: 100 * speed, speed: speed)
      }
    case .zigzag:
      for leg in 0..<40 { track.move(azimuth: heading + Double(leg % 2) * 90, distance: 28, speed: speed) }
    case .rest: track.rest(for: .seconds(3600))
    }
    return track
  }
}

extension TrackBuilder {
  /// Adds rounds of a circle, as a polygon with a corner every second.
  fileprivate mutating func moveInCircles(radius: Double, heading: Double, distance: Double, speed: Double) {
    let turn = speed / radius * 180 / .pi
    for second in 0..<Int(distance / speed) {
      let azimuth = (heading + Double(second) * turn).remainder(dividingBy: 360)
      move(azimuth: azimuth, distance: speed, speed: speed)
    }
  }

  /// Adds two rounds of a square whose sides last 100 s each, with a stop at each corner.
  fileprivate mutating func moveInSquares(heading: Double, speed: Double, stop: Duration) {
    for side in 0..<8 {
      move(azimuth: heading + Double(side % 4) * 90, distance: 100 * speed, speed: speed)
      rest(for: stop)
    }
  }
}
