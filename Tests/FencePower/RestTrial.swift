import EngineTestSupport
import Foundation
import RealModule
import WhereaboutsEngine
import WhereaboutsModel
import WhereaboutsGeodesy
import WhereaboutsTesting

/// A phone at rest in a fence, and what its outliers make of that; and how late the fence learns that it has left.
struct RestTrial {
  /// The interval of the receiver's fixes in seconds.
  let interval: Double
  /// Whether the receiver gives a fix each second if the demand needs more than its usual interval.
  let followsDemand: Bool
  /// Whether fixes have speeds.
  let statesSpeed: Bool

  static let radius = 50.0
  static let home = Coordinate(latitude: 52.52, longitude: 13.405)
  static let start = UTCTime(nanosecondsSince1970: 1_772_438_400_000_000_000)

  /// Errs as phones do: by some metres that wander, and one fix in a hundred is far off, unnoticed.
  func noise(_ seed: UInt64) -> ReceiverNoise {
    var noise = Self.standardNoise(seed)
    if !statesSpeed { noise.speedDeviation = nil }
    return noise
  }

  static func standardNoise(_ seed: UInt64) -> ReceiverNoise {
    ReceiverNoise(
      deviation: 4, correlationTime: .seconds(60), whiteDeviation: 1, speedDeviation: 0.2, outlierShare: 0.01,
      outlierDistance: [60, 120, 250][Int(seed % 3)], statedAccuracyFactor: 1, gaps: [])
  }

  /// An engine that watches a circle around home, and a clock for it.
  private struct FenceEngineRun {
    var engine = Engine()
    var events: [(event: FenceEvent, at: Double)] = []
    var effects: [Effect] = []

    init() {
      guard let home = RestTrial.home, let circle = try? Area.Circle(center: home, radius: RestTrial.radius)
      else {
        return
      }
      _ = engine.handle(
        .fences(.add([Fence(id: "home", area: .circle(circle))])),
        at: Moment(instant: .start, wall: start))
    }

    mutating func process(_ fix: Fix, at seconds: Double) {
      let instant = Instant(.seconds(seconds + 1))
      effects.removeAll(keepingCapacity: true)
      engine.handle(
        .signal(.fix(fix, age: .sinceArrival)), at: Moment(instant: instant, wall: fix.time), into: &effects)
      for case .fence(.event(let event)) in effects { events.append((event, seconds)) }
    }

    /// Whether the fences want the next fix at once.
    var isPending: Bool { engine.fencePower?.reason == .pending }
  }

  /// The number of events in a number of hours at rest.
  func falseEvents(hours: Double, seed: UInt64) -> Int {
    guard let home = Self.home else { return 0 }
    var random = SeededGenerator(seed: seed), watcher = FenceEngineRun()
    let place =
      home.destination(
        azimuth: .random(in: 0..<360, using: &random), distance: .random(in: 0...25, using: &random)) ?? home
    var receiver = PhoneReceiver(noise(seed), seed: seed)
    var seconds = Double.random(in: 0..<1, using: &random)
    while seconds < hours * 3600 {
      watcher.process(
        receiver.fix(at: Self.start.advanced(by: .seconds(seconds)), place, speed: 0), at: seconds)
      seconds += followsDemand && watcher.isPending ? min(1, interval) : interval
    }
    return watcher.events.count
  }

  /// The delay of an exit event after the crossing in seconds; `nil` without an event.
  func exitDelay(speed: Double, seed: UInt64) -> Double? {
    guard let home = Self.home else { return nil }
    var random = SeededGenerator(seed: seed), watcher = FenceEngineRun()
    var receiver = PhoneReceiver(noise(seed), seed: seed)
    let azimuth = Double.random(in: 0..<360, using: &random),
      leaving = 1200 + Double.random(in: 0..<300, using: &random)
    let crossing = leaving + Self.radius / speed
    var seconds = 0.0
    while seconds < crossing + 3600 {
      let distance = max(0, seconds - leaving) * speed
      let place = distance > 0 ? home.destination(azimuth: azimuth, distance: distance) ?? home : home
      let fix = receiver.fix(
        at: Self.start.advanced(by: .seconds(seconds)), place, speed: distance > 0 ? speed : 0,
        course: distance > 0 ? azimuth : nil)
      watcher.process(fix, at: seconds)
      if seconds > crossing, let exit = watcher.events.last, exit.event.kind == .exit {
        return exit.at - crossing
      }
      seconds += followsDemand && watcher.isPending ? min(1, interval) : interval
    }
    return nil
  }
}

/// Fixes of a place by a receiver that errs.
struct PhoneReceiver {
  private let noise: ReceiverNoise
  private var random: SeededGenerator
  private var last: UTCTime?
  private var east = 0.0, north = 0.0

  init(_ noise: ReceiverNoise, seed: UInt64) {
    self.noise = noise
    random = SeededGenerator(seed: seed)
  }

  mutating func fix(at time: UTCTime, _ place: Coordinate, speed: Double, course: Double? = nil) -> Fix {
    let elapsed = last.map { time.seconds(since: $0) } ?? .infinity
    last = time
    let kept = Double.exp(-elapsed / noise.correlationTime.inSeconds)
    let fresh = noise.deviation * (1 - kept * kept).squareRoot()
    east = kept * east + fresh * gaussian()
    north = kept * north + fresh * gaussian()
    var error = (
      east: east + noise.whiteDeviation * gaussian(), north: north + noise.whiteDeviation * gaussian()
    )
    if Double.random(in: 0..<1, using: &random) < noise.outlierShare {
      let direction = Double.random(in: 0..<2 * .pi, using: &random)
      error.east += noise.outlierDistance * Double.sin(direction)
      error.north += noise.outlierDistance * Double.cos(direction)
    }
    let seen = place.destination(
      azimuth: Double.atan2(y: error.east, x: error.north) * 180 / .pi,
      distance: Double.hypot(error.east, error.north))
    var fix = Fix(coordinate: seen ?? place, time: time, source: .scripted, isSimulated: true)
    fix.horizontalAccuracy = noise.statedAccuracy
    if let deviation = noise.speedDeviation {
      fix.speed = (speed + deviation * gaussian()).magnitude
      fix.speedAccuracy = deviation
      if speed > 0 { fix.course = course }
    }
    return fix
  }

  /// A number from the standard normal distribution, after Box and Muller (1958).
  private mutating func gaussian() -> Double {
    let radius = (-2 * Double.log(1 - Double.random(in: 0..<1, using: &random))).squareRoot()
    return radius * Double.cos(2 * .pi * Double.random(in: 0..<1, using: &random))
  }
}

/// Prints false events at rest and the delay of true exits, for each interval.
func printRest(hours: Double, seed: UInt64) {
  print(
    "false events in \(Int(hours)) h at rest, in sessions of 5 h; delay of 200 true exits: median, 95 %, never; seed \(seed)"
  )
  print("interval  source   speed   false   walking: s              driving: s")
  for obeys in [false, true] {
    for statesSpeed in [true, false] {
      for interval in [1.0, 5, 15, 20, 30, 60, 120, 300] {
        let trial = RestTrial(interval: interval, followsDemand: obeys, statesSpeed: statesSpeed)
        let sessions = UInt64((hours / 5).rounded(.up))
        let events = (0..<sessions).reduce(0) {
          $0 + trial.falseEvents(hours: hours / Double(sessions), seed: seed &* 1_000_000 &+ $1)
        }
        func delays(_ speed: Double) -> String {
          let all = (0..<UInt64(200)).map { trial.exitDelay(speed: speed, seed: seed &* 1_000_000 &+ $0) }
          let known = all.compactMap { $0 }.sorted()
          guard !known.isEmpty else { return "none" }
          return String(
            format: "%6.0f %6.0f %4d", known[known.count / 2], known[known.count * 19 / 20],
            all.count - known.count)
        }
        print(
          String(format: "%8.0f", interval), obeys ? "  obeys " : "  fixed ",
          statesSpeed ? " stated" : " none  ",
          String(format: "%7d  ", events), delays(1.4), "    ", delays(10))
      }
    }
  }
}
