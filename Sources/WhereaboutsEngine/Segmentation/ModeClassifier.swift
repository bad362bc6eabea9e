import WhereaboutsModel
import RealModule

/// Divides a journey into legs by mode of transport.
///
/// The journey is cut into steps of at least twenty seconds. The most likely sequence of kinds (on foot, by bicycle, by
/// motor) is found from the speeds of the steps, where a change of kind is unlikely (Viterbi's algorithm). A leg by
/// motor is by road or by rail: by the number of stops, the turns, the greatest speeds and accelerations, and the walks
/// before and after. Where these do not show which, the mode is `vehicle`. A leg whose evidence is weak is of unknown
/// mode.
///
/// The activity that most fixes of a stretch state counts before all of this, if it is possible at the speed of the
/// stretch (``StatedModes``).
struct ModeClassifier {
  private let steps: [Step]
  private let start: UTCTime
  private let end: UTCTime

  private struct Step {
    var start: UTCTime
    var end: UTCTime
    var distance: Double
    var fastest: Double
    var acceleration: Double?
    /// The angle in degrees between the directions of this step and of the one before, if both are long enough.
    var turn: Double?
    var stated: StatedModes
    var seconds: Double { end.seconds(since: start) }
    var speed: Double { distance / max(seconds, 1) }
    var isRare: Bool { seconds > 200 }
  }

  private enum Kind: Int, CaseIterable {
    case foot, bicycle, motor, aircraft

    /// Creates the kind of a mode; `nil` for the unknown one.
    init?(_ mode: TransportMode) {
      switch mode {
      case .walking: self = .foot
      case .cycling: self = .bicycle
      case .driving, .rail, .vehicle: self = .motor
      case .flying: self = .aircraft
      case .unknown: return nil
      }
    }
  }

  /// Steps in a row of one kind.
  private struct Run {
    var kind: Kind
    var range: Range<Int>
    /// The mode that the fixes state.
    var stated: TransportMode?
  }

  private static let leastStep = 20.0
  /// The evidence of a step counts for at most so many seconds, by the memory of speeds.
  private static let memory = 60.0
  /// The logarithm of the odds against a change of kind: to or from a walk, and between two vehicles.
  private static let changePenalty = 5.0, vehicleChangePenalty = 14.0
  /// The least length in seconds of a stretch that is a leg because of a stated activity between others.
  private static let leastStretch = 60.0
  /// The least difference of log-likelihoods that decides a kind.
  private static let leastEvidence = 2.0

  init(_ samples: [MotionSample], from start: UTCTime, until end: UTCTime) {
    self.start = start
    self.end = end
    steps = Self.steps(of: samples)
  }

  private static func steps(of samples: [MotionSample]) -> [Step] {
    guard var begin = samples.first else { return [] }
    var steps: [Step] = [], fastest = 0.0, acceleration: Double?
    var direction: SIMD3<Double>?
    var stated = StatedModes()
    for sample in samples.dropFirst() {
      stated.add(sample.activity)
      fastest = max(fastest, sample.fastest)
      if let change = sample.acceleration { acceleration = max(acceleration ?? 0, change) }
      guard sample.time.seconds(since: begin.time) >= leastStep else { continue }
      let way = sample.place - begin.place, length = way.length
      let counted = max(sample.distance - begin.distance, length)
      var turn: Double?
      if length > 3 * (begin.accuracy + sample.accuracy) {
        let unit = way / length
        if let direction {
          turn = Double.acos(min(1, max(-1, (direction * unit).sum()))) * 180 / .pi
        }
        direction = unit
      }
      steps.append(
        Step(
          start: begin.time, end: sample.time, distance: counted, fastest: fastest,
          acceleration: acceleration, turn: turn, stated: stated))
      begin = sample
      fastest = 0
      acceleration = nil
      stated = StatedModes()
    }
    return steps
  }

  /// The legs, in order; at least one.
  var legs: [JourneyLeg] {
    let runs = likeliestRuns().flatMap(divided)
    guard !runs.isEmpty else { return [JourneyLeg(mode: .unknown, start: start, end: end, distance: 0)] }
    var legs: [JourneyLeg] = []
    for (place, run) in runs.enumerated() {
      let likeliest = mode(
        of: run.kind, run.range, walksBefore: place > 0 && runs[place - 1].kind == .foot,
        walksAfter: place + 1 < runs.count && runs[place + 1].kind == .foot)
      // Phones state a vehicle in trains, too.
      let isTrain = run.stated == .driving && likeliest == .rail
      let chosen = isTrain ? .rail : run.stated ?? likeliest
      let distance = steps[run.range].reduce(0) { $0 + $1.distance }
      let leg = JourneyLeg(
        mode: chosen, start: place == 0 ? start : steps[run.range.lowerBound].start,
        end: place == runs.count - 1 ? end : steps[run.range.upperBound - 1].end, distance: distance)
      if let last = legs.last, last.mode == chosen {
        legs[legs.count - 1].end = leg.end
        legs[legs.count - 1].distance += distance
      } else {
        legs.append(leg)
      }
    }
    return legs
  }

  // MARK: Stated activities

  /// Returns the run with the mode that its fixes state. A run whose fixes state several modes in turn is divided where
  /// the mode changes.
  private func divided(_ run: Run) -> [Run] {
    let ranges = statedMode(of: run.range) == nil ? stretches(of: run.range) : [run.range]
    var runs: [Run] = []
    for range in ranges {
      let stated = statedMode(of: range)
      if stated == nil, let last = runs.last, last.stated == nil {
        runs[runs.count - 1].range = last.range.lowerBound..<range.upperBound
      } else {
        runs.append(Run(kind: stated.flatMap { Kind($0) } ?? run.kind, range: range, stated: stated))
      }
    }
    return runs
  }

  /// Divides steps where the stated mode changes. A step without a mode belongs to the stretch before, and so does a
  /// stretch that is too short.
  private func stretches(of steps: Range<Int>) -> [Range<Int>] {
    var stretches: [Range<Int>] = []
    var last: TransportMode?
    for index in steps {
      let mode = self.steps[index].stated.mode ?? last
      if mode == last, let stretch = stretches.last {
        stretches[stretches.count - 1] = stretch.lowerBound..<(index + 1)
      } else {
        stretches.append(index..<(index + 1))
      }
      last = mode
    }
    var kept: [Range<Int>] = []
    for stretch in stretches {
      if let before = kept.last, min(seconds(of: before), seconds(of: stretch)) < Self.leastStretch {
        kept[kept.count - 1] = before.lowerBound..<stretch.upperBound
      } else {
        kept.append(stretch)
      }
    }
    return kept
  }

  private func statedMode(of range: Range<Int>) -> TransportMode? {
    var stated = StatedModes()
    for step in steps[range] { stated.add(step.stated) }
    let distance = steps[range].reduce(0) { $0 + $1.distance }
    guard let mode = stated.mode, distance <= StatedModes.greatestSpeed(of: mode) * seconds(of: range) else {
      return nil
    }
    return mode
  }

  /// Returns the duration of steps, of which there is at least one.
  private func seconds(of range: Range<Int>) -> Double {
    steps[range.upperBound - 1].end.seconds(since: steps[range.lowerBound].start)
  }

  // MARK: Kinds

  private func likeliestRuns() -> [Run] {
    var runs: [Run] = []
    for (index, kind) in likeliestKinds().enumerated() {
      if let last = runs.last, last.kind == kind {
        runs[runs.count - 1].range = last.range.lowerBound..<(index + 1)
      } else {
        runs.append(Run(kind: kind, range: index..<(index + 1)))
      }
    }
    return runs
  }

  private func likeliestKinds() -> [Kind] {
    guard !steps.isEmpty else { return [] }
    var scores = Kind.allCases.map { Self.evidence(of: steps[0], for: $0) }
    var origins: [[Int]] = []
    for step in steps.dropFirst() {
      var next = scores, origin = Array(Kind.allCases.indices)
      for kind in Kind.allCases {
        for other in Kind.allCases where other != kind {
          let isWalk = kind == .foot || other == .foot
          let score = scores[other.rawValue] - (isWalk ? Self.changePenalty : Self.vehicleChangePenalty)
          guard score > next[kind.rawValue] else { continue }
          next[kind.rawValue] = score
          origin[kind.rawValue] = other.rawValue
        }
      }
      for kind in Kind.allCases { next[kind.rawValue] += Self.evidence(of: step, for: kind) }
      scores = next
      origins.append(origin)
    }
    var kind = scores.indices.max { scores[$0] < scores[$1] } ?? 0
    var path = [kind]
    for origin in origins.reversed() {
      kind = origin[kind]
      path.append(kind)
    }
    return path.reversed().compactMap(Kind.init(rawValue:))
  }

  /// Returns the log-likelihood of a step's speed for a kind.
  private static func evidence(of step: Step, for kind: Kind) -> Double {
    // A rare fix is weak evidence of a pace: the mean speed of many minutes covers all motion in them.
    let weight = step.isRare ? 0.6 : min(step.seconds, memory) / memory * 1.3
    let softness = step.isRare ? 1.6 : 1.0
    return weight * Double.log(density(max(step.speed, 0), fastest: step.fastest, kind, softness))
  }

  private static func density(_ speed: Double, fastest: Double, _ kind: Kind, _ softness: Double) -> Double {
    switch kind {
    case .foot: mix(0.12, speed, normal(speed, 1.35, 0.35 * softness), beyond: fastest, 3.2)
    case .bicycle: mix(0.1, speed, normal(speed, 4.8, 1.3 * softness), beyond: fastest, 11)
    case .motor: mix(0.15, speed, motor(speed), beyond: fastest, 85)
    case .aircraft: speed > 75 ? 0.02 : 1e-6
    }
  }

  /// Returns a mixture of rest and of movement; speeds above the greatest are unlikely.
  private static func mix(
    _ rest: Double, _ speed: Double, _ moving: Double, beyond fastest: Double, _ greatest: Double
  ) -> Double {
    let resting = rest * (speed < 0.5 ? 2 : 0)
    let density = max(1e-6, resting + (1 - rest) * moving)
    return fastest > greatest ? density * 0.1 : density
  }

  private static func normal(_ speed: Double, _ mean: Double, _ deviation: Double) -> Double {
    let off = (speed - mean) / deviation
    return Double.exp(-off * off / 2) / (deviation * 2.5066)
  }

  /// Vehicles go at any speed up to a train's, with town speeds the most usual.
  private static func motor(_ speed: Double) -> Double {
    guard speed > 0.3 else { return 0.02 }
    let low = speed < 3 ? 0.02 + 0.012 * speed : 0.056
    return speed < 16 ? low : 0.056 * Double.exp(-(speed - 16) / 25)
  }

  private func mode(of kind: Kind, _ range: Range<Int>, walksBefore: Bool, walksAfter: Bool) -> TransportMode
  {
    var totals = Kind.allCases.map { kind in steps[range].reduce(0) { $0 + Self.evidence(of: $1, for: kind) }
    }
    let own = totals.remove(at: kind.rawValue)
    guard own - (totals.max() ?? 0) >= Self.leastEvidence else { return .unknown }
    switch kind {
    case .foot: return .walking
    // The mean of many minutes in town is as slow by car as by bicycle.
    case .bicycle: return isRare(range) ? .unknown : .cycling
    case .aircraft: return .flying
    case .motor: return vehicle(range, walksBefore, walksAfter)
    }
  }

  /// Tells trains from road vehicles, or neither.
  private func vehicle(_ range: Range<Int>, _ walksBefore: Bool, _ walksAfter: Bool) -> TransportMode {
    guard !isRare(range) else { return .vehicle }
    let score = railEvidence(range, walksBefore, walksAfter)
    return score >= 2 ? .rail : score <= -1.5 ? .driving : .vehicle
  }

  /// Whether most of the way lies between rare fixes, which show neither stops nor turns.
  private func isRare(_ range: Range<Int>) -> Bool {
    let rare = steps[range].filter(\.isRare).reduce(0) { $0 + $1.distance }
    return rare * 2 >= steps[range].reduce(0) { $0 + $1.distance }
  }

  /// Returns the log-odds of rail against road.
  private func railEvidence(_ range: Range<Int>, _ walksBefore: Bool, _ walksAfter: Bool) -> Double {
    let steps = self.steps[range]
    let length = steps.reduce(0) { $0 + $1.distance }
    var score = -1.0
    // People walk to and from stations, and park at the door.
    score += walksBefore && walksAfter ? 1.5 : walksBefore || walksAfter ? 0 : -1.5
    let turns = steps.compactMap(\.turn).sorted()
    if turns.count >= 4 {
      let sharp = Double(turns.filter { $0 > 35 }.count) / Double(turns.count)
      score +=
        sharp > 0.2 ? -3 : sharp > 0.1 ? -1.5 : sharp < 0.04 && turns.count >= 6 ? 2 : sharp < 0.04 ? 1 : 0
    }
    let accelerations = steps.compactMap(\.acceleration).sorted()
    if accelerations.count >= 4 {
      let high = accelerations[accelerations.count * 9 / 10]
      score += high > 1.5 ? -3 : high < 1.0 ? 2 : 0
    }
    let speeds = steps.map(\.fastest).sorted()
    let high = speeds.isEmpty ? 0 : speeds[speeds.count * 9 / 10]
    score += high > 42 ? 3 : high > 36 ? 1 : high < 17 ? -1.5 : 0
    if length > 0, steps.count >= 6 {
      let stops = Double(steps.filter { $0.speed < 1.5 }.count)
      score += stops / (length / 1000) > 1 ? -1 : 0
    }
    return score
  }
}
