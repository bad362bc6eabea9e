import RealModule
import WhereaboutsEngine
import WhereaboutsModel
import WhereaboutsGeodesy
import WhereaboutsTesting

/// The result of a motion classifier for some fixes.
struct MotionHarness {
  private(set) var changes: [Motion.Change] = []
  private(set) var classifier: MotionClassifier
  let start: UTCTime

  init(_ fixes: [Fix], by activity: Activity = .other, _ settings: Motion.Settings = .standard) {
    classifier = MotionClassifier(settings)
    start = fixes.first?.time ?? utc(0)
    for fix in fixes {
      if let change = classifier.process(fix, activity: activity) { changes.append(change) }
    }
  }

  var motions: [Motion] { changes.map(\.to) }

  /// The changes as seconds since the first fix with the new motion.
  var summary: String {
    changes.map { "\($0.time.seconds(since: start)) \($0.to.rawValue)" }.joined(separator: ", ")
  }

  /// Returns the motion at a number of seconds after the first fix.
  func motion(at seconds: Double) -> Motion {
    changes.last { $0.time.seconds(since: start) <= seconds }?.to ?? .unknown
  }
}

/// Makes consecutive legs of a duration in seconds and a speed in metres per second; 0 is a rest.
func journey(
  _ legs: [(seconds: Double, speed: Double)], from place: Coordinate = home, turned degrees: Double = 0,
  every interval: Double = 1, noise: ReceiverNoise = .goodReceiver, seed: UInt64 = 1
) -> [Fix] {
  var track = TrackBuilder(from: place, at: utc(0))
  for (index, leg) in legs.enumerated() {
    if leg.speed == 0 {
      track.rest(for: .seconds(leg.seconds))
    } else {
      let azimuth = (Double(index * 40) + degrees).truncatingRemainder(dividingBy: 360)
      track.move(azimuth: azimuth, distance: leg.seconds * leg.speed, speed: leg.speed)
    }
  }
  return track.fixes(every: .seconds(interval), noise: noise, seed: seed)
}

let home = place(47.37, 8.54)

func place(_ latitude: Double, _ longitude: Double) -> Coordinate {
  Fix.test(latitude: latitude, longitude: longitude, accuracy: nil, time: nil).coordinate
}

extension ReceiverNoise {
  /// Without speeds, and with a different error.
  func withoutSpeeds() -> ReceiverNoise {
    var noise = self
    noise.speedDeviation = nil
    return noise
  }

  /// A receiver between walls, with a slowly varying error of tens of metres.
  static func indoors(deviation: Double, minutes: Double, speeds: Bool) -> ReceiverNoise {
    ReceiverNoise(
      deviation: deviation, correlationTime: .seconds(minutes * 60), whiteDeviation: deviation / 5,
      speedDeviation: speeds ? 0.4 : nil, outlierShare: 0.002, outlierDistance: 80, statedAccuracyFactor: 1,
      gaps: [])
  }
}

/// A track in a plane with a slowly varying error, which can be placed anywhere on Earth.
struct PlanarJourney {
  private var points: [(seconds: Double, east: Double, north: Double, speed: Double?)] = []

  init(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let statesSpeeds = Bool.random(using: &random)
    var east = 0.0, north = 0.0, seconds = 0.0
    var error = (east: 0.0, north: 0.0)
    for _ in 0..<12 {
      let speed = ([0, 0, 1.4, 3.1, 5.2, 20] as [Double]).randomElement(using: &random) ?? 0
      let direction = Double.random(in: 0..<2 * .pi, using: &random)
      for _ in 0..<Int.random(in: 30...200, using: &random) {
        seconds += 1
        east += speed * Double.sin(direction)
        north += speed * Double.cos(direction)
        error.east += Double.random(in: -1...1, using: &random) - error.east / 30
        error.north += Double.random(in: -1...1, using: &random) - error.north / 30
        let stated = max(0, speed + Double.random(in: -0.3...0.3, using: &random))
        points.append((seconds, east + error.east, north + error.north, statesSpeeds ? stated : nil))
      }
    }
  }

  func fixes(around place: Coordinate, turned degrees: Double, mirrored: Bool) -> [Fix] {
    points.compactMap { point in
      let distance = (point.east * point.east + point.north * point.north).squareRoot()
      let direction = Double.atan2(y: mirrored ? -point.east : point.east, x: point.north)
      let azimuth = direction * 180 / .pi + degrees
      guard let there = place.destination(azimuth: azimuth, distance: distance) else { return nil }
      var fix = Fix(coordinate: there, time: utc(point.seconds), source: .scripted)
      fix.horizontalAccuracy = 6
      fix.speed = point.speed
      return fix
    }
  }
}
