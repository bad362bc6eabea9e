import WhereaboutsFormats
import Testing
import WhereaboutsEngine
import WhereaboutsModel
import WhereaboutsJournal
import WhereaboutsTesting

@Suite struct JournalPlayerTests {
  /// Half an hour, or an hour in a long run.
  static let ride = DriveJournalFixture(lasting: .seconds(PropertyCases.runsAll ? 3600 : 1800), seed: 1)

  /// The effects of played entries as text, since NaN is not equal to itself.
  static func play(_ entries: some Sequence<JournalEntry>, on player: inout JournalPlayer) throws -> [[UInt8]]
  {
    try entries.map { entry in
      var effects: [Effect] = []
      try player.play(entry, into: &effects)
      return DriveJournalFixture.text(effects)
    }
  }

  static func entries(in decoder: JournalDecoder) -> [JournalEntry] {
    decoder.lines.compactMap { if case .entry(let entry) = $0.content { entry } else { nil } }
  }

  @Test func rideContainsAllKindsOfInputs() {
    let ride = Self.ride
    #expect(ride.entries.count > 2000)
    let inputs = ride.entries.map(\.input)
    func count(_ isOne: (Input) -> Bool) -> Int { inputs.count(where: isOne) }
    #expect(count { if case .request = $0 { true } else { false } } > 50)
    #expect(count { if case .cancel = $0 { true } else { false } } > 2)
    #expect(count { if case .subscribe(_, .fixes) = $0 { true } else { false } } > 5)
    #expect(count { if case .subscribe(_, .visits) = $0 { true } else { false } } > 1)
    #expect(count { if case .subscribe(_, .headings) = $0 { true } else { false } } > 1)
    #expect(count { if case .subscribe(_, .significantChanges) = $0 { true } else { false } } > 1)
    #expect(count { if case .signal(.failed) = $0 { true } else { false } } > 2)
    #expect(count { if case .signal(.authorization) = $0 { true } else { false } } > 10)
    let outcomes = Set(
      ride.effects.joined().compactMap { effect -> String? in
        if case .finish(_, let outcome) = effect { "\(outcome.name)" } else { nil }
      })
    #expect(
      outcomes.isSuperset(of: [
        "reached", "settled", "timedOut", "unauthorized", "completedEarly", "cancelled", "sourceFailed",
      ]), "\(outcomes)")
    let refusals = Set(
      ride.decisions.joined().compactMap { decision -> Refusal.Reason? in
        if case .refused(_, let refusal) = decision { refusal.reason } else { nil }
      })
    #expect(refusals.count >= 5, "\(refusals)")
    #expect(ride.effects.joined().contains { if case .notify(_, .visit) = $0 { true } else { false } })
  }

  @Test func replayProducesTheSameEffects() throws {
    var player = JournalPlayer(Self.ride.header)
    #expect(try Self.play(Self.ride.entries, on: &player) == Self.ride.texts)
    #expect(player.differenceCount == 0 && player.firstDifference == nil)
    #expect(player.entryCount == Self.ride.entries.count)
  }

  @Test(arguments: PropertyCases.seeds(2, of: 2...6)) func decodedDriveReplaysToTheSameEffects(seed: UInt64)
    throws
  {
    let drive = DriveJournalFixture(lasting: .seconds(600), seed: seed)
    var text: [UInt8] = []
    JournalFormat.write(drive.header, to: &text)
    for entry in drive.entries { JournalFormat.write(entry, to: &text) }
    let decoder = JournalFormTests.decodeJournal(text, in: 1000)
    guard case .header(let header)? = decoder.lines.first?.content else {
      Issue.record("no header")
      return
    }
    var player = JournalPlayer(header)
    let effects = try Self.play(Self.entries(in: decoder), on: &player)
    #expect(effects == drive.texts && player.differenceCount == 0, "seed \(seed)")
  }

  @Test func copiedPlayerContinuesIdentically() throws {
    let ride = PropertyCases.runsAll ? Self.ride : DriveJournalFixture(lasting: .seconds(300), seed: 1)
    var player = JournalPlayer(ride.header)
    var made: [Effect] = []
    for (index, entry) in ride.entries.enumerated() {
      var copy = player
      let goesOn = try copy.play(entry, into: &made)
      #expect(goesOn && DriveJournalFixture.text(made) == ride.texts[index], "split before entry \(index)")
      try player.play(entry, into: &made)
      #expect(DriveJournalFixture.text(made) == ride.texts[index], "entry \(index) beside its copy")
      if index % 250 == 17 {
        let rest = try Self.play(ride.entries[(index + 1)...], on: &copy)
        #expect(rest == Array(ride.texts[(index + 1)...]), "all the rest from entry \(index) on")
      }
    }
    #expect(player.differenceCount == 0)
  }

  /// Two decoders, one after the other, on one player: as a journal in two files.
  @Test func splitJournalReplaysToTheSameEffects() throws {
    let drive = DriveJournalFixture(lasting: .seconds(PropertyCases.runsAll ? 120 : 40), seed: 9)
    var lines: [[UInt8]] = []
    for entry in drive.entries {
      var line: [UInt8] = []
      JournalFormat.write(entry, to: &line)
      lines.append(line)
    }
    for cut in 0...lines.count {
      var player = JournalPlayer(drive.header)
      var effects: [[UInt8]] = []
      for part in [lines[..<cut], lines[cut...]] {
        let decoder = JournalFormTests.decodeJournal(Array(part.joined()))
        effects += try Self.play(Self.entries(in: decoder), on: &player)
      }
      #expect(effects == drive.texts && player.differenceCount == 0, "cut after line \(cut)")
    }
  }

  @Test func firstDifferenceIsReportedAtItsEntry() throws {
    let drive = DriveJournalFixture(lasting: .seconds(300), seed: 3)
    // A request that stays open and is to be woken for.
    let place = try #require(
      drive.entries.indices.first {
        guard case .request = drive.entries[$0].input else { return false }
        return drive.effects[$0].contains { if case .wake = $0 { true } else { false } }
      })
    guard case .request(let id, var terms) = drive.entries[place].input else {
      Issue.record("entry \(place) is no request")
      return
    }
    terms.timeout = .seconds(1000)
    var entries = drive.entries
    entries[place].input = .request(id, terms)
    var player = JournalPlayer(drive.header)
    _ = try Self.play(entries, on: &player)
    let difference = try #require(player.firstDifference)
    #expect(difference.entry == place + 1 && difference.recorded != difference.replayed)
  }

  @Test func invalidEntriesDoNotTrap() throws {
    let one = RequestTerms(level: .city, timeout: nil)
    let fixes = SubscriptionTerms.fixes(FixTerms(level: .city))
    func entry(_ seconds: Int, _ input: Input) -> JournalEntry {
      JournalEntry(
        moment: Moment(instant: Instant(.seconds(seconds)), wall: nil), input: input, digest: nil)
    }
    var player = JournalPlayer(JournalHeader(settings: EngineSettings(), began: nil))
    var effects: [Effect] = []
    try player.play(entry(5, .request(RequestID(1), one)), into: &effects)
    try player.play(entry(5, .subscribe(SubscriptionID(1), fixes)), into: &effects)
    #expect(throws: JournalPlayer.ReplayError.timeWentBack(by: .seconds(1))) {
      try player.play(entry(4, .wake), into: &effects)
    }
    #expect(throws: JournalPlayer.ReplayError.duplicateRequester(.request(RequestID(1)))) {
      try player.play(entry(6, .request(RequestID(1), one)), into: &effects)
    }
    #expect(throws: JournalPlayer.ReplayError.duplicateRequester(.subscription(SubscriptionID(1)))) {
      try player.play(entry(6, .subscribe(SubscriptionID(1), .headings(HeadingTerms()))), into: &effects)
    }
    #expect(player.entryCount == 2)
  }

  /// Random inputs at random instants, with all the odd numbers that text can hold.
  @Test(arguments: PropertyCases.seeds(3, of: 1...20)) func decodedEntriesCanAlwaysBePlayed(seed: UInt64) {
    var random = RandomInput(seed: seed)
    var player = JournalPlayer(JournalHeader(settings: EngineSettings(), began: nil))
    var effects: [Effect] = []
    for _ in 0..<400 {
      let text = JournalFormTests.text(random.entry())
      for entry in Self.entries(in: JournalFormTests.decodeJournal(Array(text.utf8))) {
        _ = try? player.play(entry, into: &effects)
      }
    }
    #expect(player.entryCount > 0)
  }
}
