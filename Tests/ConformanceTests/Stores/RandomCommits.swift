import EngineTestSupport
import Whereabouts
import WhereaboutsTesting

/// Random commits, like a manager's and beyond; the same for the same seed.
struct RandomCommits {
  private var random: SeededGenerator
  private var second = 0.0
  private var lastRecordNumber: UInt64 = 0
  private var events: [(numbered: NumberedFenceRecord, event: UInt64)] = []
  private var lastSerial: UInt64 = 0

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  private mutating func chance(_ part: Double) -> Bool { Double.random(in: 0..<1, using: &random) < part }
  private mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }

  mutating func nextCommit() -> StoreCommit {
    var commit = StoreCommit(device: chance(0.7) ? phone : watch)
    for _ in 0..<number(0...3) { commit.fixes.append(randomFix()) }
    for _ in 0..<(chance(0.3) ? number(1...3) : 0) { commit.fenceRecords.append(randomRecord()) }
    if chance(0.3) { commit.processedUntil = utc(second) }
    if chance(0.2) { fillRandomChange(&commit.fences) }
    if !commit.fences.isEmpty || chance(0.15) { commit.snapshot = engineSnapshot(number(0...40)) }
    for _ in 0..<(chance(0.2) ? number(1...2) : 0) {
      let ended = chance(0.3) ? second : nil
      commit.trips.append(trip(TripID(rawValue: "\(number(0...3))"), distance: second, ended: ended))
    }
    if chance(0.15) {
      commit.gaps.append(
        gap(of: TripID(rawValue: "\(number(0...3))"), end: Double(number(0...5)), counted: second))
    }
    for _ in 0..<(chance(0.2) ? number(1...2) : 0) {
      commit.receiverUsages.append(
        receiverUsage(UInt64(number(1...6)), began: second, for: Double(number(0...90))))
    }
    commit.durability = chance(0.3) ? .power : .process
    return commit
  }

  private mutating func randomFix() -> LoggedFix {
    second += Double(number(-30...90)) / 10
    var fix = fullFix()
    fix.time = chance(0.05) ? nil : utc(second)
    if chance(0.5) { fix.heightAboveGeoid = nil }
    if chance(0.5) { fix.speed = Double.random(in: 0...1e3, using: &random) }
    if chance(0.5) { fix.horizontalDilution = nil }
    if chance(0.3) { fix.solution = Fix.SolutionKind.allCases.randomElement(using: &random) }
    let use = chance(0.8) ? LoggedFix.Use.used : LoggedFix.Use.allCases.randomElement(using: &random) ?? .used
    return LoggedFix(fix, use: use, seen: chance(0.9) ? utc(second + 0.25) : nil)
  }

  private mutating func randomRecord() -> NumberedFenceRecord {
    if !events.isEmpty, chance(0.1), let again = events.randomElement(using: &random) {
      return again.numbered
    }
    lastRecordNumber += 1
    switch number(0...4) {
    case 0:
      let id = events.randomElement(using: &random)?.event ?? 1
      let record = FenceRecord.revised(FenceEvent.ID(id), chance(0.5) ? event(id, of: "other") : nil)
      return NumberedFenceRecord(number: lastRecordNumber, record: record)
    case 1:
      let id = FenceID("\(number(0...5))")
      return NumberedFenceRecord(
        number: lastRecordNumber, record: .removed(id, because: chance(0.5) ? .once : .expired))
    default:
      let id = UInt64(events.count) + 1
      let numbered = makeNumberedRecord(lastRecordNumber, event: id, of: FenceID("\(number(0...5))"))
      events.append((numbered, id))
      return numbered
    }
  }

  private mutating func fillRandomChange(_ change: inout StoreCommit.FenceChange) {
    change.removesAll = chance(0.2)
    if chance(0.4) { change.removed = [FenceID("\(number(0...5))")] }
    for _ in 0..<number(0...2) {
      lastSerial += 1
      let fence = fence("\(number(0...5))", north: second)
      guard !change.set.contains(where: { $0.fence.id == fence.id }) else { continue }
      change.set.append(StoreCommit.FenceChange.Entry(fence, serial: lastSerial))
      change.lastSerial = lastSerial
    }
  }
}
