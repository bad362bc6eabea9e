import WhereaboutsEngine
import EngineTestSupport
import Foundation
import WhereaboutsModel
import WhereaboutsGeodesy
import WhereaboutsTesting

/// The time that the receiver is on while a device rests in a fence, and the delay of the exit afterwards.
struct ReceiverTrial {
  /// The radius of the fence in metres.
  let radius: Double
  /// The fence's responsiveness in seconds.
  let responsiveness: Double
  /// Seconds from the demand to the first fix.
  let warmUp: Double

  static let walkingSpeed = 1.4
  static let drivingSpeed = 10.0

  struct Outcome {
    /// The share of the rest during which the receiver was on.
    var shareOn: Double
    var fixesPerHour: Double
    /// The number of events during the rest.
    var falseEvents: Int
    /// Seconds from the crossing to the decided exit; `nil` if there was no exit within an hour.
    var walkingDelay: Double?
    var drivingDelay: Double?
  }

  /// Rests for a number of hours near the centre, and leaves on foot or by car.
  func outcome(hours: Double, seed: UInt64) -> Outcome? {
    guard let home = RestTrial.home, let circle = try? Area.Circle(center: home, radius: radius) else {
      return nil
    }
    var random = SeededGenerator(seed: seed)
    let seconds = Int(hours * 3600) + Int.random(in: 0..<300, using: &random)
    let azimuth = Double.random(in: 0..<360, using: &random)
    var phone = PhoneReceiver(RestTrial.standardNoise(seed), seed: seed)
    var receiver = SimulatedReceiver(warmUp: .seconds(warmUp))
    receiver.advance(to: RestTrial.start)
    let terms = FenceTerms(responsiveness: .seconds(responsiveness))
    receiver.sendInput(.fences(.add([Fence(id: "home", area: .circle(circle), terms: terms)])))
    receiver.run(through: (0..<seconds).map { phone.fix(at: Self.time($0), home, speed: 0) })
    return Outcome(
      shareOn: receiver.secondsOn / Double(seconds),
      fixesPerHour: Double(receiver.deliveredCount) / Double(seconds) * 3600,
      falseEvents: receiver.events.count,
      walkingDelay: exitDelay(receiver, phone, from: home, azimuth, after: seconds, Self.walkingSpeed),
      drivingDelay: exitDelay(receiver, phone, from: home, azimuth, after: seconds, Self.drivingSpeed))
  }

  private func exitDelay(
    _ receiver: SimulatedReceiver, _ phone: PhoneReceiver, from home: Coordinate, _ azimuth: Double,
    after start: Int, _ speed: Double
  ) -> Double? {
    var receiver = receiver, phone = phone
    let known = receiver.events.count
    for second in 1...3600 {
      let place = home.destination(azimuth: azimuth, distance: Double(second) * speed) ?? home
      receiver.step(to: phone.fix(at: Self.time(start + second), place, speed: speed, course: azimuth))
      guard receiver.events.count > known, let exit = receiver.events.last, exit.kind == .exit else {
        continue
      }
      return exit.decided.seconds(since: Self.time(start)) - radius / speed
    }
    return nil
  }

  private static func time(_ second: Int) -> UTCTime { RestTrial.start.advanced(by: .seconds(second)) }
}

/// Prints the time that the receiver is on at rest, and the delay of exits, for each responsiveness.
func printReceiver(hours: Double, seed: UInt64) {
  let runs = UInt64(20)
  print("\(runs) rests of \(hours) h at 1 fix/s, then an exit; delays in s: median, longest; seed \(seed)")
  print("radius  warm-up  responsiveness   on, %  fixes/h   false  walking          driving")
  for (radius, warmUp) in [(50.0, 2.0), (50, 10), (150, 2), (150, 10)] {
    for responsiveness in [0.0, 30, 60, 120, 300, 600] {
      let trial = ReceiverTrial(radius: radius, responsiveness: responsiveness, warmUp: warmUp)
      let all = (0..<runs).compactMap { trial.outcome(hours: hours, seed: seed &+ $0) }
      func mean(_ value: (ReceiverTrial.Outcome) -> Double) -> Double {
        all.reduce(0) { $0 + value($1) } / Double(all.count)
      }
      func delays(_ value: (ReceiverTrial.Outcome) -> Double?) -> String {
        let known = all.compactMap(value).sorted()
        guard known.count == all.count, let longest = known.last else { return "no exit in some " }
        return String(format: "%6.0f %6.0f   ", known[known.count / 2], longest)
      }
      print(
        String(
          format: "%5.0f m %6.0f s %13.0f s %8.2f %8.0f %7d", radius, warmUp, responsiveness,
          mean(\.shareOn) * 100, mean(\.fixesPerHour), all.reduce(0) { $0 + $1.falseEvents }),
        delays(\.walkingDelay), delays(\.drivingDelay))
    }
  }
}
