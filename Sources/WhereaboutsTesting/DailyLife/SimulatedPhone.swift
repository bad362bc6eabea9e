import RealModule
package import Whereabouts
import WhereaboutsGeodesy

/// A device that a person of a `DailyLife` carries: with its interval of fixes and its errors.
package struct SimulatedPhone: Sendable {
  /// Seconds between two fixes, in motion.
  package var interval: Double
  /// The share by which the interval varies.
  package var jitter: Double
  /// Seconds of rest after which the device sleeps; `nil` where it never sleeps.
  package var sleepsAfter: Double?
  /// Seconds between two fixes in its sleep; `nil` for none.
  package var heartbeat: Double?
  /// Metres from where it fell asleep at which it wakes.
  package var wakingDistance = 120.0
  /// The deviation of the error an axis, in metres: outside, inside.
  package var deviation = (outside: 5.0, inside: 14.0)
  /// The share of fixes in buildings that lie at a neighbouring network's place.
  package var jumpShare = 0.01
  /// The share of fixes that lie kilometres off, alone or in short runs.
  package var teleportShare = 0.001
  /// The share of fixes that are missing.
  package var missingShare = 0.03
  /// Whether fixes state speeds.
  package var statesSpeed: Bool

  /// A fix a minute, day and night.
  package static let minute = SimulatedPhone(
    interval: 60, jitter: 0.05, sleepsAfter: nil, heartbeat: nil, statesSpeed: false)
  /// A fix a minute from an old phone: twice the errors, many outliers, and every sixth fix missing.
  package static let poor = SimulatedPhone(
    interval: 60, jitter: 0.2, sleepsAfter: nil, heartbeat: nil, deviation: (outside: 10, inside: 28),
    jumpShare: 0.04, teleportShare: 0.003, missingShare: 0.16, statesSpeed: false)
  /// A fix in fifteen seconds on the way, and silence at rest but for one an hour or two.
  package static let sleeper = SimulatedPhone(
    interval: 15, jitter: 0.2, sleepsAfter: 150, heartbeat: 5400, statesSpeed: true)
  /// A fix in eight to fourteen minutes, as in a Timeline of Google.
  package static let sparse = SimulatedPhone(
    interval: 660, jitter: 0.27, sleepsAfter: nil, heartbeat: nil, statesSpeed: false)
  /// A distance filter: a fix in each 50 m, and none at rest.
  package static let filter = SimulatedPhone(
    interval: 4, jitter: 0.1, sleepsAfter: 4, heartbeat: nil, wakingDistance: 50, statesSpeed: true)
  /// A fix a second while the car drives, and silence when it is parked.
  package static let car = SimulatedPhone(
    interval: 1, jitter: 0, sleepsAfter: 5, heartbeat: nil, wakingDistance: 3,
    deviation: (outside: 3, inside: 6), jumpShare: 0, teleportShare: 0.00005, missingShare: 0.005,
    statesSpeed: true)

  /// Returns the fixes of the device on a person's days, in the order of time.
  package func fixes(of life: DailyLife, seed: UInt64) -> [Fix] {
    var run = Run(self, life, seed: seed)
    return run.fixes()
  }

  private struct Run {
    let phone: SimulatedPhone
    let life: DailyLife
    var random: SeededGenerator
    var cursor: DailyLife.Cursor
    var error = (east: 0.0, north: 0.0)
    var lastTime: Double?
    var teleport: (east: Double, north: Double, left: Int)?

    init(_ phone: SimulatedPhone, _ life: DailyLife, seed: UInt64) {
      self.phone = phone
      self.life = life
      random = SeededGenerator(seed: seed)
      cursor = DailyLife.Cursor(life)
    }

    mutating func fixes() -> [Fix] {
      var fixes: [Fix] = []
      var time = uniform(0...phone.interval)
      // The place where the phone has been at rest, and since when.
      var rest: (point: LocalPlane.Point, since: Double)?
      while time < life.end {
        let state = cursor.state(at: time)
        if let known = rest, known.point.distance(to: state.point) < 40 {
          if let sleep = phone.sleepsAfter, time - known.since > sleep {
            time = self.sleep(from: time, at: state.point, into: &fixes)
            rest = nil
            continue
          }
        } else {
          rest = (state.point, time)
        }
        if !chance(phone.missingShare) { fixes.append(fix(at: time, state)) }
        time += phone.interval * (1 + phone.jitter * uniform(-1...1))
      }
      return fixes
    }

    /// Sleeps until the person is far enough away, and returns the time of waking.
    private mutating func sleep(from start: Double, at point: LocalPlane.Point, into fixes: inout [Fix])
      -> Double
    {
      var time = start
      var nextBeat = phone.heartbeat.map { start + $0 * uniform(0.6...1.4) } ?? .infinity
      while time < life.end {
        time += phone.interval < 5 ? 1 : 10
        let state = cursor.state(at: time)
        if state.point.distance(to: point) > phone.wakingDistance {
          return phone.interval < 5 ? time : time + uniform(5...45)
        }
        if time >= nextBeat {
          fixes.append(fix(at: time, state))
          nextBeat = time + (phone.heartbeat ?? 0) * uniform(0.6...1.4)
        }
      }
      return time
    }

    private mutating func fix(
      at time: Double, _ state: (point: LocalPlane.Point, speed: Double, course: Double, inside: Bool)
    ) -> Fix {
      let deviation = state.inside ? phone.deviation.inside : phone.deviation.outside
      wander(to: time, deviation, memory: state.inside ? 240 : 40)
      var off = error
      var stated = deviation * 1.515 * uniform(0.7...1.4)
      if state.inside, chance(phone.jumpShare) {
        let jump = uniform(60...260), angle = uniform(0...2 * .pi)
        off = (off.east + jump * .sin(angle), off.north + jump * .cos(angle))
        stated = chance(0.5) ? jump : stated * 1.5
      }
      applyTeleport(&off, &stated)
      let point = LocalPlane.Point(east: state.point.east + off.east, north: state.point.north + off.north)
      var fix = Fix(
        coordinate: life.plane.coordinate(at: point) ?? life.plane.origin,
        time: life.beginning.advanced(by: .seconds(time)), source: .scripted, isSimulated: true)
      fix.horizontalAccuracy = (stated * 10).rounded() / 10
      if phone.statesSpeed, !state.inside {
        fix.speed = max(0, state.speed + gaussian() * 0.3)
        fix.course = state.course
        fix.speedAccuracy = 0.4
      }
      return fix
    }

    private mutating func applyTeleport(_ off: inout (east: Double, north: Double), _ stated: inout Double) {
      if teleport == nil, chance(phone.teleportShare) {
        let distance = Double.exp(uniform(Double.log(1500)...Double.log(40_000))),
          angle = uniform(0...2 * .pi)
        teleport = (
          distance * .sin(angle), distance * .cos(angle), chance(0.8) ? 1 : Int(uniform(2...4))
        )
      }
      guard let known = teleport else { return }
      off = (off.east + known.east, off.north + known.north)
      stated = chance(0.5) ? 1200 : 30
      teleport = known.left > 1 ? (known.east, known.north, known.left - 1) : nil
    }

    private mutating func wander(to time: Double, _ deviation: Double, memory: Double) {
      let kept = lastTime.map { Double.exp(-(time - $0) / memory) } ?? 0
      let fresh = deviation * (1 - kept * kept).squareRoot()
      error = (kept * error.east + fresh * gaussian(), kept * error.north + fresh * gaussian())
      lastTime = time
    }

    private mutating func uniform(_ range: ClosedRange<Double>) -> Double {
      Double.random(in: range, using: &random)
    }

    private mutating func chance(_ probability: Double) -> Bool {
      probability > 0 && Double.random(in: 0..<1, using: &random) < probability
    }

    /// Returns a number from the standard normal distribution, after Box and Muller (1958).
    private mutating func gaussian() -> Double {
      let radius = (-2 * Double.log(1 - Double.random(in: 0..<1, using: &random))).squareRoot()
      return radius * Double.cos(2 * .pi * Double.random(in: 0..<1, using: &random))
    }
  }
}
