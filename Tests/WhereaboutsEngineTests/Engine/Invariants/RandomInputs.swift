import WhereaboutsEngine
import WhereaboutsModel
import WhereaboutsTesting

/// Random inputs of every kind at random times, determined by a seed.
///
/// Ids are reused after their end. Fixes are late, repeated, invalid or from the future. Clocks are stepped, and inputs
/// often arrive at the instant of a deadline.
struct RandomInputs {
  private var random: SeededGenerator
  private var seconds = 0.0
  private var wallOff: Double? = 0
  private var requests: UInt64 = 0
  private var subscriptions: UInt64 = 0
  private var lastFix: Fix?
  /// The place of the device in metres north and the accuracy of the receiver: both stay constant and then jump.
  private var northOffset = 0.0
  private var accuracy = 50.0

  /// Whether the inputs include fences.
  private let hasFences: Bool

  init(seed: UInt64) {
    random = SeededGenerator(seed: seed)
    hasFences = seed.isMultiple(of: 2)
  }

  mutating func settings() -> EngineSettings {
    let plans: [EngineSettings.AuthorizationPlan] = [
      .notNeeded, .needed(asking: nil), .needed(asking: .whenInUse), .needed(asking: .always),
    ]
    return EngineSettings(
      authorization: any(of: plans),
      motion: any(of: [nil, .standard, Motion.Settings(stopTime: .seconds(2), silence: .seconds(5))]))
  }

  /// Returns the next input and its moment, which is not before the previous one.
  mutating func nextInput(due: Instant?) -> (Input, Moment) {
    advanceTime(due: due)
    return (randomInput(), t(seconds, wallOff: wallOff))
  }

  private mutating func advanceTime(due: Instant?) {
    switch Int.random(in: 0..<12, using: &random) {
    case 0, 1: break
    case 2, 3:
      if let due { seconds = max(seconds, Double(due.nanoseconds) / 1e9) }
    default: seconds += Double.random(in: 0...3, using: &random)
    }
    if chance(1, in: 60) { wallOff = any(of: [nil, 0, 31_536_000, -31_536_000, -1.7e9, 5]) }
    if chance(1, in: 15) { northOffset += Double.random(in: -2000...2000, using: &random) }
    if chance(1, in: 15) { accuracy = any(of: [0, 2, 4, 10, 14, 60, 90, 800, 4000, 20_000]) }
  }

  private mutating func randomInput() -> Input {
    switch Int.random(in: 0..<100, using: &random) {
    case 0..<14: .request(newRequestID(), requestTerms())
    case 14..<18: .cancel(randomRequestID())
    case 18..<21: .completeNow(randomRequestID())
    case 21..<25: .follow(randomRequestID())
    case 25..<34: .subscribe(newSubscriptionID(), subscriptionTerms())
    case 34..<39: .unsubscribe(SubscriptionID(UInt64.random(in: 0...subscriptions, using: &random)))
    case 39..<42 where hasFences: .fences(fenceCommand())
    case 39..<44: .wake
    case 44: .power(powerState())
    case 45..<50: .track(SubscriptionID(UInt64.random(in: 0...subscriptions, using: &random)), command())
    default: .signal(signal())
    }
  }

  private mutating func powerState() -> PowerState {
    PowerState(isForeground: chance(1, in: 2), isCharging: any(of: [nil, true, false, false]))
  }

  private mutating func signal() -> SourceSignal {
    switch Int.random(in: 0..<60, using: &random) {
    case 0..<40: .fix(randomFix(), age: any(of: [.sinceArrival, .sinceArrival, .sinceFixTime]))
    case 40..<45:
      Heading(
        degrees: Double.random(in: 0..<360, using: &random),
        reference: any(of: [.trueNorth, .magneticNorth]),
        accuracy: any(of: [nil, 5, -1])
      ).map { .heading($0) } ?? .segmentBegan
    case 45: .headingsUnavailable(sourceProblem())
    case 46..<53: .authorization(authorization())
    case 53..<55: .unavailable(sourceProblem())
    case 55..<57: .failed(sourceProblem())
    case 57: chance(1, in: 4) ? .ended : .segmentBegan
    default: .segmentBegan
    }
  }

  private mutating func randomFix() -> Fix {
    if let lastFix, chance(1, in: 12) { return lastFix }
    let late = chance(1, in: 10) ? Double.random(in: -20...40, using: &random) : 0
    let wander = Double.random(in: -1...1, using: &random) * min(accuracy, 100)
    let stated: Double? = chance(1, in: 12) ? any(of: [nil, -1, .nan]) : accuracy
    // Slightly more than the time, so that two fixes of one instant differ.
    let made = seconds + Double.random(in: 0..<0.001, using: &random) - late
    let fix = WhereaboutsEngineTests.fix(
      stated, at: made, north: northOffset + wander, speed: any(of: [nil, 0, 1.5, 30]))
    lastFix = fix
    return fix
  }

  private mutating func fenceCommand() -> FenceCommand {
    switch Int.random(in: 0..<8, using: &random) {
    case 0..<4: .add([randomFence()])
    case 4: .update([randomFence()])
    case 5, 6: .remove([randomFenceID()])
    default: .removeAll
    }
  }

  private mutating func randomFenceID() -> FenceID { any(of: ["a", "b", "c", "d"]) }

  private mutating func randomFence() -> Fence {
    let far: Double = any(of: [0, 500, 5000, 100_000])
    return fence(
      randomFenceID().name, north: northOffset + far, radius: any(of: [50, 300, 2000]),
      FenceTerms(
        enterDwell: any(of: [.zero, .seconds(5)]), dwell: any(of: [nil, .seconds(10)]),
        reportsInitialSide: chance(1, in: 2), once: chance(1, in: 4),
        expiry: any(of: [nil, utc(seconds + 20)]), responsiveness: any(of: [.zero, .seconds(10)])))
  }

  private mutating func authorization() -> Authorization {
    let status = any(of: Authorization.Status.allCases + [.always, .whenInUse, .notDetermined])
    return Authorization(status, accuracy: any(of: [.full, .full, .reduced]), remedy: any(of: [nil, "ask"]))
  }

  private mutating func sourceProblem() -> SourceProblem {
    SourceProblem(any(of: [.noPosition, .unreachable]), message: "reach it")
  }

  private mutating func requestTerms() -> RequestTerms {
    RequestTerms(
      level: any(of: AccuracyLevel.standard),
      timeout: any(of: [nil, .zero, .seconds(4), .seconds(Double.random(in: 0...30, using: &random))]),
      timeoutStarts: any(of: [.whenRequested, .whenAuthorized]),
      settle: any(of: [nil, .zero, .seconds(2), .seconds(6)]), activity: any(of: [.other, .walk, .car]))
  }

  private mutating func subscriptionTerms() -> SubscriptionTerms {
    switch Int.random(in: 0..<12, using: &random) {
    case 8, 9: .track(trackTerms())
    case 4, 5:
      .accepted(
        AcceptanceTerms(
          requiredAccuracy: any(of: [5, 20]), recencyThreshold: any(of: [.zero, .seconds(6)]),
          wait: any(of: [.zero, .seconds(4)]), maximumTries: any(of: [1, 3, 10]),
          ignoresPossibleDuplicates: chance(1, in: 2), activity: any(of: [.other, .walk])))
    case 0: .significantChanges(SignificantChangeTerms())
    case 1: .visits(VisitTerms(radius: any(of: [50, 100]), minimumStay: .seconds(5)))
    case 2: .motions
    case 3: .headings(HeadingTerms(filter: any(of: [0, 5, 30])))
    default:
      .fixes(
        FixTerms(
          level: any(of: AccuracyLevel.standard), distanceFilter: any(of: [0, 10, 500]),
          elasticity: any(of: [0, 1]), minimumInterval: any(of: [.zero, .seconds(2)]),
          maximumCount: any(of: [nil, nil, 0, 1, 3]), duration: any(of: [nil, nil, .zero, .seconds(7)]),
          lastFixUpTo: any(of: [nil, .zero, .seconds(10)]), activity: any(of: [.other, .car])))
    }
  }

  private mutating func trackTerms() -> TrackTerms {
    TrackTerms(
      activity: any(of: [.other, .walk]),
      signal: SignalStrength.Settings(
        recheck: any(of: [.zero, .seconds(15)]), longestSilence: any(of: [nil, .zero, .seconds(10)])),
      method: any(of: [.estimated(OdometerSettings()), .candidates(CandidateSettings(distanceFilter: 0))]),
      reportsPoints: any(of: [false, true]))
  }

  /// Returns a tracker command, most often start, without which the others have no effect.
  private mutating func command() -> TrackPhase.Command {
    any(of: [.start, .start, .start, .prepare, .stop, .reset])
  }

  private mutating func newRequestID() -> RequestID {
    requests += 1
    return RequestID(requests)
  }

  private mutating func newSubscriptionID() -> SubscriptionID {
    subscriptions += 1
    return SubscriptionID(subscriptions)
  }

  /// Returns an id, mostly a recent one; some have ended, and some are unknown.
  private mutating func randomRequestID() -> RequestID {
    let first = chance(1, in: 5) ? 0 : requests - min(requests, 6)
    return RequestID(UInt64.random(in: first...(requests + 1), using: &random))
  }

  private mutating func chance(_ part: Int, in whole: Int) -> Bool {
    Int.random(in: 0..<whole, using: &random) < part
  }

  private mutating func any<Value>(of values: [Value]) -> Value {
    values[Int.random(in: values.indices, using: &random)]
  }
}
