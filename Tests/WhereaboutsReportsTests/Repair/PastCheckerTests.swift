import Testing
import WhereaboutsGeodesy
import WhereaboutsModel
import WhereaboutsTesting

@testable import WhereaboutsReports

/// Findings in made-up pasts, each with one fault or none.
@Suite struct PastCheckerTests {
  // MARK: Pasts

  private static func past(
    days: Int, _ phone: SimulatedPhone, life: UInt64 = 1, seed: UInt64, source: Int = 1,
    teleports: Bool = false
  ) -> [PastFix] {
    var phone = phone
    if !teleports { phone.teleportShare = 0 }
    let life = DailyLife(days: days, kind: phone.interval == 1 ? .car : .mixed, seed: life)
    return phone.fixes(of: life, seed: seed).enumerated().compactMap { number, fix in
      guard let time = fix.time else { return nil }
      return PastFix(
        key: PastFix.Key(time: time.nanosecondsSince1970, seq: Int64(source) * 10_000_000 + Int64(number)),
        coordinate: fix.coordinate, accuracy: fix.horizontalAccuracy, source: source)
    }
  }

  private static func merged(_ pasts: [PastFix]...) -> [PastFix] {
    pasts.flatMap(\.self).sorted { ($0.key.time, $0.key.seq) < ($1.key.time, $1.key.seq) }
  }

  private static func moved(_ past: [PastFix], degreesEast: Double) throws -> [PastFix] {
    try past.map { fix in
      var fix = fix
      fix.coordinate = try #require(
        Coordinate(latitude: fix.coordinate.latitude, longitude: fix.coordinate.longitude + degreesEast))
      return fix
    }
  }

  private static func shifted(_ past: [PastFix], seconds: Int64) -> [PastFix] {
    past.map { fix in
      var fix = fix
      fix.key.time += seconds * 1_000_000_000
      return fix
    }
  }

  private static func findings(_ past: [PastFix]) -> [PastFinding] {
    var checker = PastChecker()
    for fix in past { checker.process(fix) }
    return checker.finish()
  }

  private static func keys(
    _ past: [PastFix], _ finding: PastFinding, _ choice: PastFinding.Choice
  ) -> Set<PastFix.Key> {
    var selector = RepairSelector(finding, choice)
    for fix in past { selector.process(fix) }
    return Set(selector.keys)
  }

  // MARK: Absence

  @Test(arguments: [
    ("a fix a minute", 90, SimulatedPhone.minute), ("asleep at rest", 365, .sleeper),
    ("a fix in eight to fourteen minutes", 365, .sparse), ("a fix a second", 14, .car),
  ])
  func cleanPastHasNoFinding(name: String, days: Int, phone: SimulatedPhone) {
    for seed in UInt64(1)...2 {
      let past = Self.past(days: days, phone, life: seed, seed: seed)
      #expect(past.count > 1_000)
      #expect(Self.findings(past).map(\.evidence) == [], "\(name), seed \(seed)")
    }
  }

  @Test func successiveImportsAreNoOverlap() {
    var past = Self.past(days: 60, .minute, seed: 3)
    for index in past.indices { past[index].source = 1 + index / 500 }
    #expect(Self.findings(past).map(\.evidence) == [])
  }

  @Test func flightIsNoFault() throws {
    // Ten hours at 250 m/s to the east with a fix every ten seconds, and rest before and after it.
    let past = try (0..<4_000).map { step in
      PastFix(
        key: PastFix.Key(time: Int64(step) * 10_000_000_000, seq: Int64(step)),
        coordinate: try #require(
          Coordinate(latitude: 10, longitude: Double(min(max(step - 100, 0), 3_600)) * 0.0228)),
        accuracy: 20, source: 1)
    }
    #expect(Self.findings(past).map(\.evidence) == [])
  }

  // MARK: Presence

  /// Long enough for a cost that grows with the square of the second device's fixes to take minutes. No limit of time
  /// says so, since a busy machine would break it.
  @Test func longPastOfTwoDevicesIsChecked() throws {
    let places = [
      try #require(Coordinate(latitude: 52.5, longitude: 13.4)),
      try #require(Coordinate(latitude: 52, longitude: 12.5)),
    ]
    let past = (0..<300_000).map { step in
      PastFix(
        key: PastFix.Key(time: Int64(step) * 60_000_000_000, seq: Int64(step)), coordinate: places[step % 2],
        accuracy: 10, source: 1)
    }
    let findings = Self.findings(past)
    #expect(findings.map(\.kind) == [.mixed] && findings.first?.count == 150_000)
  }

  @Test func singleFalsePlacesAreTeleports() throws {
    var past = Self.past(days: 20, .minute, seed: 4)
    var expected: Set<PastFix.Key> = []
    for index in stride(from: 50, to: past.count - 50, by: 1_000) {
      past[index].coordinate = try #require(Coordinate(latitude: 52.9, longitude: 13.4))
      past[index].accuracy = 30
      expected.insert(past[index].key)
    }
    let findings = Self.findings(past)
    #expect(findings.map(\.kind) == [.teleports])
    let finding = try #require(findings.first)
    #expect(finding.count == expected.count && Self.keys(past, finding, .leaveOut) == expected)
    #expect(Self.findings(past.filter { !expected.contains($0.key) }).isEmpty)
  }

  @Test func outliersOfAPoorPhoneAreNoSecondDevice() {
    let kinds = Self.findings(Self.past(days: 60, .poor, seed: 5, teleports: true)).map(\.kind)
    #expect(kinds == [.teleports])
  }

  @Test func interleavedDevicesAreMixed() throws {
    let first = Self.past(days: 10, .minute, life: 6, seed: 6)
    let second = try Self.moved(Self.past(days: 10, .minute, life: 7, seed: 7), degreesEast: 3).map { fix in
      var fix = fix
      fix.key.seq += 5_000_000
      return fix
    }
    let past = Self.merged(first, second)
    let findings = Self.findings(past)
    #expect(findings.map(\.kind) == [.mixed])
    let finding = try #require(findings.first)
    let moved = Self.keys(past, finding, .move)
    // The device that comes second is the one to move.
    #expect(moved == Set(second.map(\.key)) || moved == Set(first.map(\.key)))
    #expect(Self.findings(past.filter { !moved.contains($0.key) }).isEmpty)
  }

  @Test func placesOfOneInstantAreTies() throws {
    var past = Self.past(days: 20, .minute, seed: 8)
    var expected: Set<PastFix.Key> = []
    for index in stride(from: 100, to: past.count, by: 900) {
      var tie = past[index]
      tie.key.seq += 5_000_000
      tie.coordinate = try #require(
        Coordinate(latitude: tie.coordinate.latitude + 0.05, longitude: tie.coordinate.longitude))
      tie.accuracy = 20
      past.append(tie)
      expected.insert(tie.key)
    }
    past = Self.merged(past)
    let findings = Self.findings(past)
    #expect(findings.map(\.kind) == [.ties])
    #expect(Self.keys(past, try #require(findings.first), .leaveOut) == expected)
  }

  @Test func severalPointsInAWholeMinuteAreNotReported() throws {
    // A car at 30 m/s, four points in each whole minute.
    let past = try (0..<400).map { step in
      PastFix(
        key: PastFix.Key(time: Int64(step / 4) * 60_000_000_000, seq: Int64(step)),
        coordinate: try #require(Coordinate(latitude: 48 + Double(step) * 0.004, longitude: 11)),
        accuracy: nil, source: 1)
    }
    #expect(Self.findings(past).map(\.evidence) == [])
  }

  @Test func oneStretchFromTwoImportsIsAnOverlap() throws {
    let first = Self.past(days: 20, .minute, seed: 9)
    let second = Self.past(days: 12, .minute, seed: 10, source: 2)
    let past = Self.merged(first, second)
    let findings = Self.findings(past)
    #expect(findings.map(\.kind) == [.overlap])
    let finding = try #require(findings.first)
    #expect(finding.sources == [1, 2])
    for (choice, source) in [(PastFinding.Choice.leaveOutFirst, 1), (.leaveOutSecond, 2)] {
      let keys = Self.keys(past, finding, choice)
      #expect(past.allSatisfy { !keys.contains($0.key) || $0.source == source })
      #expect(Self.findings(past.filter { !keys.contains($0.key) }).isEmpty)
    }
  }

  @Test(arguments: [3_600, 7_200, 20_700, 45_000] as [Int64])
  func importOfAnotherTimeZoneIsShifted(seconds: Int64) throws {
    let first = Self.past(days: 25, .minute, seed: 11)
    let late = Self.shifted(Self.past(days: 25, .minute, seed: 12, source: 2), seconds: seconds)
    let past = Self.merged(first, late)
    let finding = try #require(Self.findings(past).first { $0.kind == .shifted })
    #expect(finding.sources == [1, 2] && finding.shift == seconds * 1_000_000_000)
    var selector = RepairSelector(finding, .shiftSecond)
    for fix in past { selector.process(fix) }
    #expect(Set(selector.keys) == Set(late.map(\.key)))
    let repaired = Self.merged(first, Self.shifted(late, seconds: selector.shift / 1_000_000_000))
    #expect(Self.findings(repaired).map(\.kind) == [.overlap])
  }

  @Test(arguments: [(50.0, true), (4.0, false), (0.3, false)])
  func constantAccuracyIsComparedWithScatter(deviation: Double, isContradicted: Bool) throws {
    var random = SeededGenerator(seed: 13)
    let past = try (0..<3_000).map { step in
      func error() -> Double {
        (0..<12).reduce(-6) { sum, _ in sum + Double.random(in: 0..<1, using: &random) }
      }
      return PastFix(
        key: PastFix.Key(time: Int64(step) * 1_000_000_000, seq: Int64(step)),
        coordinate: try #require(
          Coordinate(
            latitude: 48 + deviation * error() / 111_000, longitude: 11 + deviation * error() / 74_000)),
        accuracy: 5, source: 1)
    }
    let findings = Self.findings(past)
    #expect(findings.map(\.kind) == (isContradicted ? [.accuracy] : []))
    if let finding = findings.first {
      #expect(Self.keys(past, finding, .removeAccuracy).count == 3_000)
      let bare = past.map { fix in
        var fix = fix
        fix.accuracy = nil
        return fix
      }
      #expect(Self.findings(bare).isEmpty)
    }
  }

  // MARK: Times at the ends of the range

  /// Fixes of two imports at both ends of the range of times, and between them.
  private static func ends() throws -> [PastFix] {
    let step: Int64 = 15_000_000_000
    let starts = [
      Int64.min, Int64.min + 3_600_000_000_000, -7_750_000_000_000_000_000, 0, Int64.max - 40 * step,
    ]
    return try starts.enumerated().flatMap { index, start in
      try (0...40).map { number in
        PastFix(
          key: PastFix.Key(time: start + Int64(number) * step, seq: Int64(index * 100 + number)),
          coordinate: try #require(Coordinate(latitude: 51, longitude: Double(number) * 0.002)),
          accuracy: 10, source: 1 + number % 2)
      }
    }
  }

  @Test func timesAtTheEndsOfTheRangeAreChecked() throws {
    let past = try Self.ends()
    #expect(past.first?.key.time == .min && past.last?.key.time == .max)
    // The steps between the stretches exceed Int64 nanoseconds or nearly so, and are no reason for a finding.
    let kinds = Set(Self.findings(past).map(\.kind))
    #expect(kinds.isDisjoint(with: [.shifted, .teleports, .mixed]), "\(kinds)")
  }

  @Test func overlapIsSelectedAcrossTheRange() throws {
    let past = try Self.ends()
    let span = UTCTime(nanosecondsSince1970: .min)...UTCTime(nanosecondsSince1970: .max)
    let finding = PastFinding(
      kind: .overlap, first: span.lowerBound, last: span.upperBound, count: 1, evidence: "", sources: [1, 2])
    let selected = Self.keys(past, finding, .leaveOutFirst)
    // Not the first fix of a stretch: the other import has no fix within ten minutes before.
    #expect(selected.count == 5 * 19)
    #expect(!selected.contains { $0.seq % 100 == 0 })
  }

  // MARK: Identifiers

  @Test func identifierChangesWithTheFindingAlone() throws {
    let past = Self.past(days: 10, .poor, seed: 5, teleports: true)
    let finding = try #require(Self.findings(past).first)
    #expect(Self.findings(past).first?.id == finding.id)
    let fewer = past.filter { $0.key != finding.keys.first }
    #expect(Self.findings(fewer).first?.id != finding.id)
  }
}
