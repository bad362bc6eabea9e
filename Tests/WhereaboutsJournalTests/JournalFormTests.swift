import EngineTestSupport
import WhereaboutsFormats
import Testing
import WhereaboutsEngine
import WhereaboutsModel
import WhereaboutsJournal
import WhereaboutsGeodesy
import WhereaboutsTesting

@Suite struct JournalFormTests {
  static func decodeJournal(_ bytes: [UInt8], in chunks: Int = .max) -> JournalDecoder {
    var decoder = JournalDecoder()
    bytes.withUnsafeBytes { all in
      var start = 0
      while start < all.count {
        let end = min(all.count, start.addingReportingOverflow(chunks).partialValue)
        let rest = UnsafeRawBufferPointer(rebasing: all[start..<(end > start ? end : all.count)])
        decoder.decode(rest)
        start += rest.count
      }
    }
    decoder.finish()
    return decoder
  }

  static func text(_ entry: JournalEntry) -> String {
    var bytes: [UInt8] = []
    JournalFormat.write(entry, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test(arguments: PropertyCases.seeds(3, of: 1...20)) func entriesRoundTrip(seed: UInt64)
    throws
  {
    var random = RandomInput(seed: seed)
    for index in 0..<500 {
      let entry = random.entry()
      let text = Self.text(entry)
      let decoder = Self.decodeJournal(Array(text.utf8))
      #expect(decoder.problems.total == 0, "seed \(seed), entry \(index): \(text)")
      guard case .entry(let back)? = decoder.lines.first?.content else {
        Issue.record("seed \(seed), entry \(index) is not read: \(text)")
        return
      }
      // Sets have no order where a type writes itself.
      let writesItself = text.contains("\"restore\"") || text.contains("\"sharedFences\"")
      if !writesItself { #expect(Self.text(back) == text, "seed \(seed), entry \(index)") }
      // NaN is not equal to itself, and 0 is equal to -0, but their texts differ.
      if !text.contains("\"nan\"") { #expect(back == entry, "seed \(seed), entry \(index): \(text)") }
    }
  }

  @Test func entryIsAReadableFlatObject() {
    let moment = Moment(
      instant: Instant(nanoseconds: 12_000_000_001),
      wall: UTCTime(nanosecondsSince1970: 1_717_243_200_250_000_000))
    func line(_ input: Input, digest: UInt64? = nil) -> String {
      Self.text(JournalEntry(moment: moment, input: input, digest: digest))
    }
    let opening = #"{"at":12.000000001,"wall":"2024-06-01T12:00:00.250Z","#
    let fix = Fix.test(latitude: 47.5, longitude: 8, accuracy: 12, time: nil)
    #expect(
      line(.signal(.fix(fix, age: .sinceArrival)), digest: 0xBEEF)
        == opening
        + #""fix":{"lat":47.5,"lon":8,"hacc":12,"source":"scripted","simulated":true},"effects":"000000000000beef"}"#
        + "\n")
    #expect(
      line(.request(RequestID(3), RequestTerms(level: .house, timeout: .milliseconds(10_500))))
        == opening + #""request":3,"level":"house","timeout":10.5}"# + "\n")
    #expect(
      line(.subscribe(SubscriptionID(4), .fixes(FixTerms(level: .block, distanceFilter: 50))))
        == opening + #""subscribe":4,"fixes":{"level":"block","distanceFilter":50}}"# + "\n")
    #expect(
      line(.subscribe(SubscriptionID(5), .track(TrackTerms(activity: .run, reportsPoints: true))))
        == opening + #""subscribe":5,"track":{"activity":"run","signal":{"requiredAccuracy":20,"#
        + #""acceptableAccuracy":70,"recheck":15,"longestSilence":10},"#
        + #""estimated":{"lateness":5,"gap":20,"bridging":"estimated"},"#
        + #""calculationInterval":3,"turn":30,"reportsPoints":true}}"# + "\n")
    #expect(line(.track(SubscriptionID(5), .start)) == opening + #""tracker":5,"command":"start"}"# + "\n")
    #expect(line(.wake) == opening + #""wake":true}"# + "\n")
  }

  @Test(arguments: [
    EngineSettings(), EngineSettings(authorization: .needed(asking: nil)), EngineSettings(motion: nil),
    EngineSettings(motion: Motion.Settings(stopTime: .seconds(3), silence: .seconds(90), confidence: 0.7)),
    EngineSettings(authorization: .needed(asking: .always)),
    EngineSettings(outliers: nil), EngineSettings(power: .unrestricted),
    EngineSettings(
      power: PowerSettings(
        preset: PowerPreset(name: "rare", interval: .seconds(999_999_999.5)),
        rules: [
          PowerSettings.Rule([.hours(ActiveHours([], aheadOfUTC: .seconds(-999_999_999.5)))], use: .low)
        ])),
    EngineSettings(
      power: PowerSettings(
        preset: .balanced,
        rules: [
          PowerSettings.Rule([.charging(true), .foreground(false)], use: .precise, name: "in the dock"),
          PowerSettings.Rule([.batteryBelow(0.2)], use: .minimal),
          PowerSettings.Rule([.lowPowerMode(true)], use: .low),
          PowerSettings.Rule(
            [
              .hours(ActiveHours([ActiveHours.Window(start: 7, minutes: 9)], aheadOfUTC: .seconds(3600))),
              .inside("home"), .still(.seconds(600)), .moving(.driving),
            ],
            use: PowerPreset(
              name: "mine", accuracy: 33.5, interval: .seconds(7),
              filters: PowerPreset.Filters(walking: 1, otherwise: 2, highway: 3, highwaySpeed: 4),
              rest: PowerPreset.Rest(after: .seconds(5), interval: .seconds(6)), background: .continues,
              onlySignificantChanges: true, coarsensFences: true)),
          PowerSettings.Rule([], use: .balanced),
        ],
        background: PowerSettings.Background(whileActive: false, whileCharging: false, onBattery: true))),
    EngineSettings(
      fences: FenceSettings(
        lateness: .seconds(9), waitsForLate: true, latePolicy: .revise, gap: .seconds(70), topSpeed: 12.5,
        savesPower: false, warmUp: .seconds(30))),
    EngineSettings(
      outliers: Outlier.Settings(
        maximumSpeed: 60, maximumAcceleration: 3.5, tolerance: 4, agreeing: 5, memory: .seconds(90),
        assumedAccuracy: 12, leastAccuracy: 0)),
  ]) func headerRoundTripsTheSettings(settings: EngineSettings) {
    let header = JournalHeader(settings: settings, began: UTCTime(nanosecondsSince1970: 1))
    var bytes: [UInt8] = []
    JournalFormat.write(header, to: &bytes)
    #expect(JournalFormat.isJournalStart(bytes) && !JournalFormat.isContinuation(bytes))
    #expect(Self.decodeJournal(bytes).lines.map(\.content) == [.header(header)])
  }

  /// Numbers of any value: a header that can't be read would make the whole journal useless.
  @Test func headerOfPowerSettingsOutOfRangeIsReadable() {
    let longest = Duration.seconds(Int64.max), shortest = Duration.seconds(Int64.min)
    var coarse = PowerPreset(
      name: "coarse", accuracy: .infinity, interval: longest,
      rest: PowerPreset.Rest(after: longest, interval: longest))
    let endless = coarse
    coarse.accuracy = .nan
    coarse.interval = shortest
    let conditions: [PowerSettings.Condition] = [
      .batteryBelow(20), .batteryBelow(.nan), .batteryBelow(-1), .still(longest), .still(shortest),
      .hours(ActiveHours([], aheadOfUTC: longest)), .hours(ActiveHours([], aheadOfUTC: shortest)),
    ]
    let power = PowerSettings(preset: coarse, rules: [PowerSettings.Rule(conditions, use: endless)])
    var bytes: [UInt8] = []
    JournalFormat.write(JournalHeader(settings: EngineSettings(power: power), began: nil), to: &bytes)
    guard case .header(let header)? = Self.decodeJournal(bytes).lines.first?.content else {
      Issue.record("the header is unreadable")
      return
    }
    #expect(header.settings.power.rules.first?.conditions.count == conditions.count)
    #expect(header.settings.power.preset.interval == .zero && header.settings.power.preset.accuracy == 0)
  }

  @Test func newerVersionIsDetected() {
    let line = #"{"whereabouts":"journal","version":2,"settings":{"laws":"new"}}"# + "\n"
    let decoder = Self.decodeJournal(Array(line.utf8))
    #expect(decoder.newerVersion == 2 && decoder.lines.isEmpty)
  }

  /// A new member of these types must also be written and read: see `ModelJSON` and `ModelReading`.
  @Test func everyFieldIsWritten() {
    func count(_ value: Any) -> Int { Mirror(reflecting: value).children.count }
    var random = RandomInput(seed: 1)
    #expect(count(random.fix()) == 23)
    #expect(count(RequestTerms(level: .city, timeout: nil)) == 5)
    #expect(count(FixTerms(level: .city)) == 8)
    #expect(count(SignificantChangeTerms()) == 3 && count(VisitTerms()) == 2 && count(HeadingTerms()) == 2)
    #expect(count(AcceptanceTerms()) == 11)
    #expect(count(Outlier(cause: .place, distance: 0, seconds: 0, off: 0, allowed: 0)) == 5)
    #expect(count(Authorization(.always)) == 4 && count(SourceProblem(.unreachable, message: "")) == 3)
    #expect(
      count(EngineSettings()) == 5 && count(Outlier.Settings()) == 7 && count(Motion.Settings()) == 3
        && count(SatellitesInView(satellites: [])) == 2)
    #expect(count(Moment(instant: .start, wall: nil)) == 2)
    #expect(count(FenceSettings()) == 8 && count(FenceTerms()) == 12)
    #expect(count(ActiveHours([])) == 3 && count(ActiveHours.Window(start: 0, minutes: 1)) == 2)
    #expect(count(FenceSnapshot(FenceRegistry(), FenceWatch())) == 5)
    let power = FencePower(reason: .far, need: .off, clearance: 1, fence: nil, topSpeed: 1, rest: nil)
    #expect(count(power) == 6)
    let evidence = FenceDecision.Evidence(
      time: UTCTime(nanosecondsSince1970: 0), probability: 1, needed: 1, distance: 1, deviation: 1)
    #expect(count(evidence) == 5)
    #expect(count(Demand.Continuous(accuracy: 1)) == 4 && count(Demand.Headings(filter: 1)) == 1)
    #expect(count(ServiceStatus(authorization: Authorization(.always))) == 4)
    #expect(Heading(degrees: 0, reference: .trueNorth).map(count) == 4)
    let north = Fix.test(latitude: 0, longitude: 0, accuracy: nil, time: nil).coordinate
    let epoch = UTCTime(nanosecondsSince1970: 0)
    #expect(count(TrackTerms()) == 7 && count(SignalStrength.Settings()) == 4)
    #expect(count(OdometerSettings()) == 3 && count(CandidateSettings()) == 6)
    #expect(count(TrackTotals()) == 10 && count(TrackUpdate.test(totals: TrackTotals())) == 10)
    #expect(count(TrackPoint.Gap(duration: 1, geodesic: 1, counted: 1, uncertainty: 1)) == 4)
    let point = TrackPoint(
      time: epoch, coordinate: north, distance: 1, uncertainty: 1, speed: 1, motion: .moving, link: .follows)
    #expect(count(point) == 8)
    #expect(count(Visit(coordinate: north, accuracy: 1, arrival: epoch)) == 5)
  }

  /// Properties can be changed after terms were made, to anything.
  @Test func invalidTermsRoundTripUnchanged() {
    var keeping = AcceptanceTerms(maximumTries: .max)
    keeping.wait = Duration(secondsComponent: .max, attosecondsComponent: 0)
    keeping.requiredAccuracy = .nan
    var way = TrackTerms(method: .candidates(CandidateSettings(kept: .max, minimum: .max)))
    way.turn = .nan
    way.signal.requiredAccuracy = .nan
    way.signal.longestSilence = .seconds(-1)
    way.calculationInterval = Duration(secondsComponent: .max, attosecondsComponent: 0)
    var late = OdometerSettings()
    late.lateness = .seconds(-3)
    late.gap = Duration(secondsComponent: .max, attosecondsComponent: 0)
    var fixes = FixTerms(level: .room)
    fixes.distanceFilter = .nan
    fixes.elasticity = .nan
    var changes = SignificantChangeTerms()
    changes.distance = .nan
    changes.farDistance = .nan
    var stay = VisitTerms()
    stay.radius = .nan
    var turn = HeadingTerms()
    turn.filter = .nan
    let terms: [SubscriptionTerms] = [
      .accepted(keeping), .track(way), .track(TrackTerms(method: .estimated(late))), .fixes(fixes),
      .significantChanges(changes), .visits(stay), .headings(turn),
    ]
    for (number, terms) in terms.enumerated() {
      expectRoundTrip(of: .subscribe(SubscriptionID(UInt64(number)), terms))
    }
    let home = fence(
      "home", FenceTerms(enterConfidence: .nan, exitConfidence: .nan, hysteresisMargin: .nan))
    expectRoundTrip(of: .fences(.add([home])))
    expectRoundTrip(of: .signal(.wakeCapacity(20, greatestRadius: .nan)))
  }

  @Test func invalidSettingsRoundTripUnchanged() {
    var settings = EngineSettings()
    settings.motion?.confidence = .nan
    settings.outliers?.tolerance = .nan
    settings.fences.topSpeed = .nan
    expectRoundTrip(of: .header(JournalHeader(settings: settings, began: nil)))
  }

  private func expectRoundTrip(of input: Input) {
    expectRoundTrip(
      of: .entry(JournalEntry(moment: Moment(instant: .start, wall: nil), input: input, digest: nil)))
  }

  /// Compares bytes, because a number that is none is not equal to itself.
  private func expectRoundTrip(of line: JournalLine) {
    let once = Self.bytes(of: line)
    guard let back = Self.decodeJournal(once).lines.first?.content else {
      Issue.record("could not read \(String(decoding: once, as: UTF8.self))")
      return
    }
    #expect(once == Self.bytes(of: back))
  }

  private static func bytes(of line: JournalLine) -> [UInt8] {
    var bytes: [UInt8] = []
    switch line {
    case .header(let header): JournalFormat.write(header, to: &bytes)
    case .entry(let entry): JournalFormat.write(entry, to: &bytes)
    }
    return bytes
  }

  // MARK: Damage

  @Test func malformedLinesAreCountedAndLocated() throws {
    let lines = [
      #"{"whereabouts":"journal","version":1,"settings":{"authorization":"not needed"}}"#,
      #"{"at":1,"wake":true}"#,
      #"{"at":2,"dream":true}"#,
      "garbage",
      "",
      #"{"at":3.0000000001,"wake":true}"#,
      #"{"at":3,"fix":{"lat":91,"lon":0}}"#,
      #"{"at":4,"unknown":[{"deep":{}}],"wake":true}"#,
      #"{"at":5,"wa"#,
    ]
    let bytes = Array(lines.joined(separator: "\n").utf8)
    for chunks in [1, 7, bytes.count] {
      let decoder = Self.decodeJournal(bytes, in: chunks)
      #expect(decoder.lines.map(\.number) == [1, 2, 8])
      #expect(decoder.problems.samples.map(\.line) == [3, 4, 6, 7, 9])
      #expect(decoder.problems.counts[.truncated] == 1 && decoder.isTorn)
    }
  }

  @Test func tornLineIsNeverDecoded() throws {
    var random = RandomInput(seed: 7)
    for _ in 0..<20 {
      let line = Array(Self.text(random.entry()).utf8.dropLast())
      for end in 0..<line.count {
        let decoder = Self.decodeJournal(Array(line[..<end]))
        #expect(decoder.lines.isEmpty)
        #expect(decoder.isTorn == (end > 0))
      }
    }
  }

  @Test(arguments: PropertyCases.seeds(3, of: 1...10)) func damagedBytesDoNotCrash(seed: UInt64) {
    var random = RandomInput(seed: seed)
    var damage = SeededGenerator(seed: seed)
    for _ in 0..<300 {
      var line = Array(Self.text(random.entry()).utf8)
      for _ in 0...2 {
        let place = Int.random(in: 0..<line.count, using: &damage)
        line[place] = Array("0123456789-eE.\",:{}[]nx\\\u{0}".utf8).randomElement(using: &damage) ?? 0
      }
      let decoder = Self.decodeJournal(line)
      #expect(decoder.lines.count + decoder.problems.total >= 1)
    }
  }
}

extension TrackUpdate {
  fileprivate static func test(totals: TrackTotals) -> TrackUpdate {
    TrackUpdate(
      phase: .counting, totals: totals, ahead: 0, settledTo: nil, speed: nil, motion: .unknown, signal: .weak,
      fix: nil)
  }
}
