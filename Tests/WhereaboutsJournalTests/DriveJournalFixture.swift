import EngineTestSupport
import WhereaboutsFormats
import WhereaboutsEngine
import WhereaboutsModel
import WhereaboutsJournal
import WhereaboutsGeodesy
import WhereaboutsTesting

/// The journal of a drive during which a lot happens: requests of every kind come and go, subscriptions of all four
/// kinds too, permission is taken away and given back, the source fails and comes back, fixes come late, twice or from
/// the future, the compass turns and is out of order at times.
struct DriveJournalFixture {
  private(set) var header = JournalHeader(settings: EngineSettings(), began: nil)
  private(set) var entries: [JournalEntry] = []
  /// The engine's effects of each entry.
  private(set) var effects: [[Effect]] = []
  /// The same as text.
  private(set) var texts: [[UInt8]] = []
  private(set) var decisions: [[Decision]] = []

  private var engine: Engine
  private var log: DecisionLog
  private var digester = EffectDigester()
  private var random: SeededGenerator
  private var inputs: RandomInput
  private var now = Moment(instant: .start, wall: nil)
  private var lastNumber: UInt64 = 0
  private var requests: [RequestID] = []
  private var subscriptions: [SubscriptionID] = []

  init(lasting duration: Duration, seed: UInt64) {
    random = SeededGenerator(seed: seed)
    inputs = RandomInput(seed: seed)
    header.settings = EngineSettings(authorization: .needed(asking: .whenInUse))
    engine = Engine(settings: header.settings)
    log = DecisionLog(settings: header.settings)
    let beginning = UTCTime(nanosecondsSince1970: 1_717_243_200_000_000_000)
    header.began = beginning
    for fix in Self.drive(lasting: duration, from: beginning, seed: seed) {
      guard let time = fix.time else { continue }
      advanceTime(to: time, from: beginning)
      for _ in 0..<Int.random(in: 0...2, using: &random) where random.chance(0.3) { handleRandomInput() }
      receive(fix)
    }
  }

  /// Round the block with stops, with what a phone makes of it.
  private static func drive(lasting duration: Duration, from beginning: UTCTime, seed: UInt64) -> [Fix] {
    guard let home = Coordinate(latitude: 47.37, longitude: 8.54) else { return [] }
    var random = SeededGenerator(seed: seed)
    var track = TrackBuilder(from: home, at: beginning)
    while track.duration < duration {
      track.move(
        azimuth: Double.random(in: 0..<360, using: &random),
        distance: Double.random(in: 100...3000, using: &random),
        speed: Double.random(in: 3...30, using: &random))
      if random.chance(0.3) { track.rest(for: .seconds(Int.random(in: 5...600, using: &random))) }
    }
    return track.fixes(every: .seconds(1), noise: .cityPhone, seed: seed)
      .filter { $0.time.map { $0.since(beginning) < duration } ?? false }
  }

  /// Effects as text, which tells all numbers apart.
  static func text(_ effects: [Effect]) -> [UInt8] {
    var text: [UInt8] = []
    for effect in effects { text.appendJSONObject { $0.appendJSONMembers(effect) } }
    return text
  }

  private mutating func handle(_ input: Input) {
    let made = engine.handle(input, at: now)
    entries.append(JournalEntry(moment: now, input: input, digest: digester.digest(made)))
    effects.append(made)
    texts.append(Self.text(made))
    decisions.append(log.decisions(after: input, at: now, effects: made))
    for effect in made {
      switch effect {
      case .finish(let ids, _): requests.removeAll { ids.contains($0) }
      case .finishSubscription(let id): subscriptions.removeAll { $0 == id }
      default: break
      }
    }
  }

  private mutating func advanceTime(to time: UTCTime, from beginning: UTCTime) {
    let instant = Instant(time.since(beginning))
    while let wake = engine.nextWake, wake < instant, wake > now.instant {
      now = Moment(instant: wake, wall: beginning.advanced(by: wake.since(.start)))
      handle(.wake)
    }
    let jitter = Duration.nanoseconds(Int64.random(in: 0..<1_000_000_000, using: &random))
    now = Moment(
      instant: max(now.instant, instant.advanced(by: jitter)),
      wall: random.chance(0.05) ? nil : time.advanced(by: jitter))
  }

  private mutating func receive(_ fix: Fix) {
    var fix = fix
    switch Int.random(in: 0..<100, using: &random) {
    case 0: fix.time = fix.time?.advanced(by: .seconds(-30))
    case 1: fix.time = fix.time?.advanced(by: .seconds(60))
    case 2: fix.time = nil
    case 3: fix.horizontalAccuracy = -1
    case 4: fix.horizontalAccuracy = .nan
    case 5: fix.speed = .infinity
    case 6: handle(.signal(.fix(fix, age: .sinceFixTime)))  // And the same again below.
    case 7: return
    case 8: fix.horizontalAccuracy = Double.random(in: 1...10, using: &random)
    default: break
    }
    handle(.signal(.fix(fix, age: random.chance(0.5) ? .sinceArrival : .sinceFixTime)))
  }

  private mutating func handleRandomInput() {
    switch Int.random(in: 0..<24, using: &random) {
    case 0...5:
      lastNumber += 1
      requests.append(RequestID(lastNumber))
      handle(.request(RequestID(lastNumber), requestTerms()))
    case 6, 7: if let id = requests.randomElement(using: &random) { handle(.follow(id)) }
    case 8: if let id = requests.randomElement(using: &random) { handle(.completeNow(id)) }
    case 9: if let id = requests.randomElement(using: &random) { handle(.cancel(id)) }
    case 10, 11, 12:
      lastNumber += 1
      subscriptions.append(SubscriptionID(lastNumber))
      handle(.subscribe(SubscriptionID(lastNumber), subscriptionTerms()))
    case 13, 14: if let id = subscriptions.randomElement(using: &random) { handle(.unsubscribe(id)) }
    case 15: handle(.wake)
    case 16:
      if random.chance(0.2) { handle(.signal(.authorization(Authorization(.denied, remedy: "Say yes.")))) }
    case 17, 18: handle(.signal(.authorization(Authorization(.whenInUse))))
    case 19:
      if random.chance(0.3) { handle(.signal(.authorization(Authorization(.always, accuracy: .reduced)))) }
    case 20: handle(.signal(.unavailable(SourceProblem(.noPosition, message: "see the sky"))))
    case 21: handle(.signal(.failed(SourceProblem(.unreachable, message: "reach the daemon"))))
    default: handle(.signal(signal()))
    }
  }

  /// Random signals of a source, except its end.
  private mutating func signal() -> SourceSignal {
    if random.chance(0.7), let heading = heading() { return .heading(heading) }
    let signal = inputs.signal()
    switch signal {
    case .ended, .fix: return .segmentBegan
    case .headingsUnavailable: return random.chance(0.1) ? signal : .segmentBegan
    default: return signal
    }
  }

  private mutating func heading() -> Heading? {
    Heading(
      degrees: Double.random(in: 0..<360, using: &random), reference: .magneticNorth,
      accuracy: random.chance(0.2) ? -1 : 5, time: now.wall)
  }

  private mutating func requestTerms() -> RequestTerms {
    RequestTerms(
      level: AccuracyLevel.standard.randomElement(using: &random) ?? .room,
      timeout: random.chance(0.8) ? .seconds(Int.random(in: 0...120, using: &random)) : nil,
      timeoutStarts: random.chance(0.5) ? .whenRequested : .whenAuthorized,
      settle: random.chance(0.5) ? .seconds(Int.random(in: 1...20, using: &random)) : nil,
      activity: .car)
  }

  private mutating func subscriptionTerms() -> SubscriptionTerms {
    switch Int.random(in: 0..<7, using: &random) {
    case 4: .accepted(AcceptanceTerms(recencyThreshold: .seconds(20), distanceFilter: 30))
    case 3: .motions
    case 0: .significantChanges(SignificantChangeTerms())
    case 1: .visits(VisitTerms(radius: 50, minimumStay: .seconds(60)))
    case 2: .headings(HeadingTerms(filter: 5))
    default:
      .fixes(
        FixTerms(
          level: .block, distanceFilter: random.chance(0.5) ? 30 : 0, elasticity: random.chance(0.3) ? 1 : 0,
          minimumInterval: random.chance(0.3) ? .seconds(5) : .zero,
          maximumCount: random.chance(0.3) ? 20 : nil, duration: random.chance(0.3) ? .seconds(90) : nil,
          lastFixUpTo: random.chance(0.5) ? .seconds(10) : nil))
    }
  }
}
