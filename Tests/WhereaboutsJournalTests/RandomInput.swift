import EngineTestSupport
import WhereaboutsEngine
import WhereaboutsModel
import WhereaboutsGeodesy
import WhereaboutsTesting

/// Inputs of every kind with every member there or not, and with numbers that no source should say but may.
struct RandomInput {
  private var random: SeededGenerator

  init(seed: UInt64) {
    random = SeededGenerator(seed: seed)
  }

  mutating func entry() -> JournalEntry {
    let moment = Moment(
      instant: Instant(nanoseconds: chance(0.1) ? edge() : Int64.random(in: 0...1 << 50, using: &random)),
      wall: chance(0.2) ? nil : time())
    return JournalEntry(moment: moment, input: input(), digest: chance(0.5) ? random.next() : nil)
  }

  mutating func input() -> Input {
    switch Int.random(in: 0..<13, using: &random) {
    case 12:
      .power(
        PowerState(
          isForeground: chance(0.5), isCharging: optionalValue { $0.chance(0.5) },
          batteryLevel: optionalValue { .random(in: 0...1, using: &$0.random) }, isLowPowerMode: chance(0.5)))
    case 11: .endTrip(TripID(rawValue: text()))
    case 10: .restore(restoration())
    case 9: .fences(fenceCommand())
    case 8: .track(SubscriptionID(random.next() >> 30), pick(TrackPhase.Command.allCases))
    case 0: .request(RequestID(random.next()), requestTerms())
    case 1: .follow(RequestID(random.next()))
    case 2: .completeNow(RequestID(random.next() >> 40))
    case 3: .cancel(RequestID(random.next() >> 60))
    case 4: .subscribe(SubscriptionID(random.next() >> 30), subscriptionTerms())
    case 5: .unsubscribe(SubscriptionID(random.next() >> 30))
    case 6: .wake
    default: .signal(signal())
    }
  }

  mutating func fenceCommand() -> FenceCommand {
    switch Int.random(in: 0..<5, using: &random) {
    case 0: .add((0..<2).map { _ in fence() })
    case 1: .update([fence()])
    case 2: .remove([FenceID(text()), "ä"])
    case 3: .share(registry())
    default: .removeAll
    }
  }

  private mutating func restoration() -> Restoration {
    var engine = Engine()
    let terms = TrackTerms(
      method: chance(0.5) ? .estimated(OdometerSettings()) : .candidates(CandidateSettings()), trip: "way")
    _ = engine.handle(.subscribe(SubscriptionID(1), .track(terms)), at: Moment(instant: .start, wall: nil))
    _ = engine.handle(.track(SubscriptionID(1), .start), at: Moment(instant: .start, wall: nil))
    for second in 1...20 {
      let now = Moment(instant: Instant(nanoseconds: Int64(second) * 1_000_000_000), wall: nil)
      _ = engine.handle(.signal(.fix(fix(), age: .sinceArrival)), at: now)
    }
    var restoration = Restoration(
      fences: optionalValue { $0.snapshot() }, trips: engine.snapshot.trips,
      since: (0..<2).map { _ in
        LoggedFix(fix(), use: pick(LoggedFix.Use.allCases), seen: optionalValue { $0.time() })
      },
      passed: optionalValue { $0.time() }, lastEvent: optionalValue { FenceEvent.ID($0.random.next()) },
      lastFix: optionalValue { $0.fix() })
    restoration.edits = optionalValue { [.update([$0.fence()]), .remove([FenceID($0.text())])] }
    return restoration
  }

  private mutating func registry() -> FenceRegistry {
    var registry = FenceRegistry()
    registry.add(contentsOf: (0..<3).map { _ in fence() })
    for id in registry.ids.sorted().prefix(1) { registry.remove(id) }
    return registry
  }

  private mutating func fence() -> Fence {
    let terms = FenceTerms(
      enterConfidence: .random(in: 0.5...0.9999, using: &random), hysteresisMargin: validNumber(),
      enterDwell: duration() ?? .zero, exitDwell: duration() ?? .zero, dwell: duration(),
      notify: pick([[], [.exit], [.enter, .dwell]]), reportsInitialSide: chance(0.5), once: chance(0.5),
      expiry: optionalValue { $0.time() },
      activeHours: optionalValue {
        ActiveHours(
          [ActiveHours.Window(start: 60, minutes: 5)],
          aheadOfUTC: .seconds(3600 * Int.random(in: -12...14, using: &$0.random)))
      },
      responsiveness: duration() ?? .zero)
    return Fence(
      id: FenceID(text()), area: area(), terms: terms, name: optionalValue { $0.text() },
      properties: chance(0.5)
        ? [:]
        : ["a": .array([.null, .bool(true), .number(0.1)]), "b": .object(["c": .string(text())])])
  }

  private mutating func area() -> Area {
    let latitude = Double.random(in: -80...80, using: &random)
    let longitude = Double.random(in: -170...170, using: &random)
    let places = [(0.0, 0.0), (0, 1), (1, 1), (0.2, 0.5), (0.2, 0.7), (0.4, 0.7)].compactMap {
      Coordinate(latitude: latitude + $0.0, longitude: longitude + $0.1)
    }
    do {
      let polygon = try Area.Polygon(exterior: Array(places[0..<3]), holes: [Array(places[3..<6])])
      return switch Int.random(in: 0..<4, using: &random) {
      case 0: .circle(try Area.Circle(center: places[0], radius: .random(in: 1...1e6, using: &random)))
      case 1: .polygon(polygon)
      case 2: .multiPolygon(try Area.MultiPolygon([polygon]))
      default: .corridor(try Area.Corridor(line: places, width: .random(in: 1...1e5, using: &random)))
      }
    } catch {
      preconditionFailure("no area: \(error)")
    }
  }

  /// The state of a watch after a fence was passed, with a value in every part.
  private mutating func snapshot() -> FenceSnapshot {
    var registry = FenceRegistry(), watch = FenceWatch(), records: [FenceRecord] = []
    for _ in 0..<2 { registry.update(fence()) }
    guard let middle = Coordinate(latitude: 47, longitude: 8),
      let circle = try? Area.Circle(center: middle, radius: 100)
    else { preconditionFailure("no circle") }
    registry.update(Fence(id: "home", area: .circle(circle), terms: FenceTerms(responsiveness: .seconds(5))))
    for second in 0..<Int.random(in: 0..<60, using: &random) {
      let fix = Fix.test(
        latitude: 46.997 + Double(second) * 1e-4, longitude: 8, accuracy: 4,
        time: UTCTime(nanosecondsSince1970: 1_717_243_200_000_000_000 + Int64(second) * 1_000_000_000),
        speed: 11, course: 0)
      watch.process(fix, in: registry, into: &records)
    }
    return FenceSnapshot(registry, watch)
  }

  mutating func signal() -> SourceSignal {
    switch Int.random(in: 0..<14, using: &random) {
    case 0: .heading(heading())
    case 1: .headingsUnavailable(sourceProblem())
    case 2: .authorization(authorization())
    case 3: .satellites(satellites())
    case 4: .segmentBegan
    case 5: .unavailable(sourceProblem())
    case 6: .failed(sourceProblem())
    case 7: .ended
    case 8:
      .wakeCapacity(
        Int.random(in: 0...20, using: &random),
        greatestRadius: chance(0.5) ? .random(in: 1000...200_000, using: &random) : nil)
    case 9: .woke(SourceSignal.WakeReason.allCases.randomElement(using: &random) ?? .left)
    default: .fix(fix(), age: chance(0.5) ? .sinceArrival : .sinceFixTime)
    }
  }

  mutating func fix() -> Fix {
    let latitude = Double.random(in: -90...90, using: &random)
    let longitude = Double.random(in: -180...180, using: &random)
    let coordinate =
      chance(0.1)
      ? Coordinate(latitude: -0.0, longitude: -180) : Coordinate(latitude: latitude, longitude: longitude)
    guard let coordinate else { preconditionFailure("no place") }
    var fix = Fix(
      coordinate: coordinate, time: chance(0.2) ? nil : time(), source: pick(Fix.SourceKind.allCases),
      isSimulated: chance(0.5))
    fix.horizontalAccuracy = number()
    fix.verticalAccuracy = number()
    fix.isAccuracyEstimated = chance(0.5)
    fix.heightAboveGeoid = number()
    fix.heightAboveEllipsoid = number()
    fix.speed = number()
    fix.speedAccuracy = number()
    fix.course = number()
    fix.courseAccuracy = number()
    fix.climb = number()
    fix.mode = optionalValue { _ in .twoD }
    fix.solution = optionalValue { $0.pick(Fix.SolutionKind.allCases) }
    fix.satellitesUsed = optionalValue { UInt8.random(in: 0...255, using: &$0.random) }
    fix.satellitesInView = optionalValue { UInt8.random(in: 0...255, using: &$0.random) }
    fix.horizontalDilution = small()
    fix.verticalDilution = small()
    fix.positionDilution = small()
    fix.floor = fix.satellitesInView.map { Int16($0) - 128 }
    let activities = Fix.StatedActivity.allCases
    fix.activity = fix.satellitesUsed.map { activities[Int($0) % activities.count] }
    return fix
  }

  mutating func subscriptionTerms() -> SubscriptionTerms {
    switch Int.random(in: 0..<8, using: &random) {
    case 5, 6: .track(trackTerms())
    case 4:
      .accepted(
        AcceptanceTerms(
          requiredAccuracy: validNumber(), recencyThreshold: duration() ?? .zero, wait: duration() ?? .zero,
          maximumTries: Int.random(in: 1...50, using: &random), distanceFilter: validNumber(),
          walkingDistanceFilter: validNumber(), highwayDistanceFilter: validNumber(),
          highwaySpeed: validNumber(),
          highwayRecency: duration() ?? .zero, ignoresPossibleDuplicates: chance(0.5),
          activity: pick(Activity.allCases)))
    case 0:
      .fixes(
        FixTerms(
          level: level(), distanceFilter: validNumber(), elasticity: validNumber(),
          minimumInterval: duration() ?? .zero,
          maximumCount: optionalValue { Int.random(in: 0...1000, using: &$0.random) }, duration: duration(),
          lastFixUpTo: duration(), activity: pick(Activity.allCases)))
    case 1:
      .significantChanges(
        SignificantChangeTerms(
          distance: validNumber(), interval: duration() ?? .zero, farDistance: validNumber()))
    case 3: .motions
    case 2: .visits(VisitTerms(radius: validNumber(), minimumStay: duration() ?? .zero))
    default:
      .headings(
        HeadingTerms(
          filter: validNumber(), reference: optionalValue { $0.pick([.trueNorth, .magneticNorth]) }))
    }
  }

  private mutating func trackTerms() -> TrackTerms {
    let signal = SignalStrength.Settings(
      requiredAccuracy: validNumber(), acceptableAccuracy: validNumber(), recheck: duration() ?? .zero,
      longestSilence: duration())
    let estimated = OdometerSettings(
      lateness: duration() ?? .zero, gap: duration() ?? .zero,
      bridging: pick(OdometerSettings.Bridging.allCases))
    let candidates = CandidateSettings(
      distanceFilter: validNumber(), kept: pick([1, 5, 1000]), minimum: pick([0, 3]),
      validity: duration() ?? .zero,
      leastStep: validNumber(), gap: duration() ?? .zero)
    return TrackTerms(
      activity: pick(Activity.allCases), signal: signal,
      method: chance(0.5) ? .estimated(estimated) : .candidates(candidates),
      calculationInterval: duration() ?? .zero, turn: pick([0, 30, 180]), reportsPoints: chance(0.5))
  }

  mutating func requestTerms() -> RequestTerms {
    RequestTerms(
      level: level(), timeout: duration(), timeoutStarts: pick([.whenRequested, .whenAuthorized]),
      settle: duration(), activity: pick(Activity.allCases))
  }

  private mutating func level() -> AccuracyLevel {
    if chance(0.5) { return pick(AccuracyLevel.standard) }
    return AccuracyLevel.custom(
      worstAccuracy: Double.random(in: 0.1...1e4, using: &random), maxAge: duration() ?? .seconds(1)) ?? .city
  }

  private mutating func heading() -> Heading {
    let heading = Heading(
      degrees: Double.random(in: 0..<360, using: &random),
      reference: pick([.trueNorth, .magneticNorth, .compassNorth]), accuracy: number(),
      time: chance(0.5) ? time() : nil)
    guard let heading else { preconditionFailure("no heading") }
    return heading
  }

  private mutating func authorization() -> Authorization {
    Authorization(
      pick(Authorization.Status.allCases), accuracy: pick(Authorization.Accuracy.allCases),
      noticesChanges: chance(0.5), remedy: optionalValue { $0.text() })
  }

  private mutating func sourceProblem() -> SourceProblem {
    SourceProblem(
      pick([.noPosition, .unreachable, SourceProblem.Code(rawValue: text())]), message: text(),
      remedy: optionalValue { $0.text() })
  }

  private mutating func satellites() -> SatellitesInView {
    var sky = SatellitesInView(satellites: [], time: chance(0.5) ? time() : nil)
    for _ in 0..<Int.random(in: 0...5, using: &random) {
      sky.satellites.append(
        SatellitesInView.Satellite(
          constellation: pick(SatellitesInView.Constellation.allCases),
          number: UInt16.random(in: 0...400, using: &random),
          elevation: small(), azimuth: small(), signal: small(), isUsed: chance(0.5)))
    }
    return sky
  }

  // MARK: Values

  /// Any `Double` that a program can hold, the odd ones often.
  private mutating func number() -> Double? {
    switch Int.random(in: 0..<8, using: &random) {
    case 0: nil
    case 1:
      pick([
        .nan, .infinity, -.infinity, -0.0, 0, -1, .leastNonzeroMagnitude, .greatestFiniteMagnitude, 1e15,
        1e16,
      ])
    case 2: Double(bitPattern: random.next())
    case 3: (Double.random(in: 0...1e5, using: &random) * 10).rounded() / 10
    default: Double.random(in: -1e3...1e3, using: &random)
    }
  }

  private mutating func small() -> Float? {
    switch Int.random(in: 0..<5, using: &random) {
    case 0: nil
    case 1: pick([.nan, .infinity, -0.0, 0, .leastNonzeroMagnitude, 16_777_216])
    case 2: Float(bitPattern: UInt32(truncatingIfNeeded: random.next()))
    default: Float.random(in: 0...50, using: &random)
    }
  }

  /// A number that is one; infinity is.
  private mutating func validNumber() -> Double {
    if chance(0.1) { return .infinity }
    return chance(0.2) ? 0 : Double.random(in: 0...2000, using: &random)
  }

  /// `nil`, whole seconds, nanoseconds, or as many attoseconds as a rounded `Double` leaves.
  private mutating func duration() -> Duration? {
    switch Int.random(in: 0..<5, using: &random) {
    case 0: nil
    case 1: .seconds(Int.random(in: 0...1000, using: &random))
    case 2: .nanoseconds(Int64.random(in: 0...1 << 60, using: &random))
    case 3:
      pick([
        .zero, .nanoseconds(1), Duration(secondsComponent: 0, attosecondsComponent: 1), .seconds(Int64.max),
      ])
    default: .seconds(Double.random(in: 0...100, using: &random))
    }
  }

  private mutating func time() -> UTCTime {
    UTCTime(
      nanosecondsSince1970: chance(0.1)
        ? edge() : Int64.random(in: 1_600_000_000_000_000_000...1_800_000_000_000_000_000, using: &random))
  }

  private mutating func edge() -> Int64 { pick([.min, .max, 0, -1, 1, -1_500_000_000]) }

  private mutating func text() -> String {
    pick(["", "reach the daemon", "say \"yes\"\n\\ and\u{7}", "Straße 5 – 渋谷 🛰", "{\"at\":1}", "nan"])
  }

  private mutating func optionalValue<Value>(_ make: (inout Self) -> Value) -> Value? {
    chance(0.3) ? nil : make(&self)
  }

  private mutating func chance(_ share: Double) -> Bool { Double.random(in: 0..<1, using: &random) < share }

  private mutating func pick<Value>(_ values: [Value]) -> Value {
    values[Int.random(in: 0..<values.count, using: &random)]
  }
}
