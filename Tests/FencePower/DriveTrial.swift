import EngineTestSupport
import Foundation
import WhereaboutsEngine
import WhereaboutsModel
import WhereaboutsGeodesy
import WhereaboutsTesting

/// Drives that stop in a fence or turn before one, and the wrong, missing and late events of a phone's fixes.
struct DriveTrial {
  enum Shape: String, CaseIterable {
    /// The car brakes, stands in the fence for two minutes, and drives on.
    case stop
    /// The car brakes, stands in the fence for 20 s, and drives back.
    case back
    /// The car slows to 4 to 7 m/s, turns by 60° to 120°, and drives on; the fence begins 15 m beyond the corner.
    case corner
  }

  let shape: Shape
  /// The interval of the receiver's fixes in seconds.
  let interval: Double
  let stated: Stated

  /// The motion that fixes state: a speed and a course, a speed, or nothing.
  enum Stated: String, CaseIterable {
    case velocity, speed, nothing
  }

  static let radius = 100.0

  /// The result of one or several drives; times in seconds.
  struct Outcome {
    var crossings = 0, missed = 0, extra = 0
    var errors: [Double] = []
    var delays: [Double] = []

    init() {}

    /// Assigns each crossing the event nearest in time, at most a number of seconds off; the other events are extra.
    init(
      _ events: [FenceEvent], of crossings: [(fence: FenceID, kind: FenceEvent.Kind, time: UTCTime)],
      within tolerance: Double
    ) {
      var left = events
      for crossing in crossings {
        self.crossings += 1
        func off(_ index: Int) -> Double { left[index].time.seconds(since: crossing.time).magnitude }
        let same = left.indices.filter {
          left[$0].fence == crossing.fence && left[$0].kind == crossing.kind && off($0) <= tolerance
        }
        guard let nearest = same.min(by: { off($0) < off($1) }) else {
          missed += 1
          continue
        }
        errors.append(off(nearest))
        delays.append(left.remove(at: nearest).decided.seconds(since: crossing.time))
      }
      extra = left.count
    }

    static func += (left: inout Outcome, right: Outcome) {
      left.crossings += right.crossings
      left.missed += right.missed
      left.extra += right.extra
      left.errors += right.errors
      left.delays += right.delays
    }

    /// The median and the 95th percentile of some times, for a table.
    static func text(_ values: [Double]) -> String {
      let sorted = values.sorted()
      guard !sorted.isEmpty else { return "               -" }
      return String(format: "%8.1f %7.1f", sorted[sorted.count / 2], sorted[sorted.count * 19 / 20])
    }
  }

  /// A drive to the fence's centre or corner, and from there on.
  private func drive(_ random: inout SeededGenerator) -> (track: TrackBuilder, centre: Coordinate)? {
    guard let home = RestTrial.home else { return nil }
    let speed = Double.random(in: 8...20, using: &random)
    let azimuth = Double.random(in: 0..<360, using: &random)
    guard let start = home.destination(azimuth: azimuth + 180, distance: 1500) else { return nil }
    var track = TrackBuilder(from: start, at: RestTrial.start)
    track.rest(for: .seconds(Double.random(in: 0..<interval, using: &random)))
    if shape == .corner {
      let slow = Double.random(in: 4...7, using: &random), braking = 2.0
      track.move(
        azimuth: azimuth, distance: 1500 - (speed * speed - slow * slow) / 2 / braking, speed: speed)
      Self.changeSpeed(&track, azimuth: azimuth, from: speed, to: slow, by: braking)
      let turn = Double.random(in: 60...120, using: &random) * (Bool.random(using: &random) ? 1 : -1)
      Self.changeSpeed(&track, azimuth: azimuth + turn, from: slow, to: speed, by: braking)
      track.move(azimuth: azimuth + turn, distance: 1500, speed: speed)
      guard let centre = home.destination(azimuth: azimuth, distance: Self.radius + 15) else { return nil }
      return (track, centre)
    }
    let braking = Double.random(in: 1.5...4, using: &random)
    track.move(azimuth: azimuth, distance: 1500 - speed * speed / 2 / braking, speed: speed)
    Self.changeSpeed(&track, azimuth: azimuth, from: speed, to: 0, by: braking)
    track.rest(for: .seconds(shape == .stop ? 120 : 20))
    let onward = azimuth + (shape == .stop ? Double.random(in: 0..<360, using: &random) : 180)
    Self.changeSpeed(&track, azimuth: onward, from: 0, to: speed, by: 2)
    track.move(azimuth: onward, distance: 1500, speed: speed)
    let centre = home.destination(
      azimuth: .random(in: 0..<360, using: &random), distance: .random(in: 0...60, using: &random))
    return centre.map { (track, $0) }
  }

  /// Changes the speed in steps of half a second.
  private static func changeSpeed(
    _ track: inout TrackBuilder, azimuth: Double, from: Double, to: Double, by acceleration: Double
  ) {
    let steps = max(1, ((to - from).magnitude / acceleration * 2).rounded())
    for step in 0..<Int(steps) {
      let speed = from + (to - from) * (Double(step) + 0.5) / steps
      track.move(azimuth: azimuth, distance: speed / 2, speed: speed)
    }
  }

  /// The true crossings of a drive.
  private func crossings(_ track: TrackBuilder, _ centre: Coordinate) -> [(
    fence: FenceID, kind: FenceEvent.Kind, time: UTCTime
  )] {
    var found: [(fence: FenceID, kind: FenceEvent.Kind, time: UTCTime)] = [], wasInside = false
    for point in track.truth(every: .milliseconds(100)) {
      let isInside = centre.distance(to: point.coordinate) <= Self.radius
      if isInside != wasInside { found.append(("home", isInside ? .enter : .exit, point.time)) }
      wasInside = isInside
    }
    return found
  }

  func outcome(seed: UInt64) -> Outcome? {
    var random = SeededGenerator(seed: seed)
    guard let (track, centre) = drive(&random),
      let circle = try? Area.Circle(center: centre, radius: Self.radius)
    else { return nil }
    var noise = RestTrial.standardNoise(seed)
    if stated == .nothing { noise.speedDeviation = nil }
    var registry = FenceRegistry(), watch = FenceWatch(FenceSettings(lateness: .zero)),
      records: [FenceRecord] = []
    registry.add(contentsOf: [Fence(id: "home", area: .circle(circle))])
    for var fix in track.fixes(every: .seconds(interval), noise: noise, seed: seed) {
      if stated == .speed { fix.course = nil }
      watch.process(fix, in: registry, into: &records)
    }
    let events = records.compactMap { if case .event(let event) = $0 { event } else { nil } }
    return Outcome(events, of: crossings(track, centre), within: max(15, 2 * interval))
  }
}

/// Prints wrong, missing and late events of drives, for each interval.
func printDrives(_ count: Int, seed: UInt64) {
  print(
    "\(count) drives each, a fence of \(Int(DriveTrial.radius)) m, one fix in a hundred an outlier; seed \(seed)"
  )
  print(
    "shape   interval  stated     crossings  missed  extra  error, s: median, 95 %  decided after, s: median, 95 %"
  )
  for shape in DriveTrial.Shape.allCases {
    for stated in DriveTrial.Stated.allCases {
      for interval in [1.0, 2, 5, 10, 15, 30] {
        let trial = DriveTrial(shape: shape, interval: interval, stated: stated)
        var all = DriveTrial.Outcome()
        for number in 0..<UInt64(count) {
          guard let one = trial.outcome(seed: seed &* 1_000_000 &+ number) else { continue }
          all += one
        }
        print(
          padded(shape.rawValue, to: 8) + String(format: "%7.0f s", interval),
          padded(stated.rawValue, to: 9),
          String(format: "%10d %7d %6d", all.crossings, all.missed, all.extra),
          DriveTrial.Outcome.text(all.errors), "    ", DriveTrial.Outcome.text(all.delays))
      }
    }
  }
}
