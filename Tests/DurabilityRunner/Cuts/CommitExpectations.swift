import Whereabouts
import WhereaboutsStore

/// The commits that were acknowledged before a place in the write log.
struct CommitExpectations {
  private let devices: UInt64
  /// By device, the last acknowledged commit.
  private var commits: [UInt64: UInt64] = [:]
  /// By device, the last commit acknowledged as power-safe; earlier commits are power-safe too.
  private var durableCommits: [UInt64: UInt64] = [:]

  /// The number of acknowledged commits.
  var count: UInt64 { commits.values.reduce(0, +) }

  init(devices: UInt64) { self.devices = devices }

  mutating func record(_ mark: HammerMark) {
    commits[mark.device] = mark.commit
    if mark.isSure { durableCommits[mark.device] = mark.commit }
  }

  /// Compares a store with its expected content.
  func outcome(in store: SQLiteStore, seed: UInt64, syncCount: UInt64) async throws -> PowerCutOutcome {
    var outcome = PowerCutOutcome()
    for device in 0..<devices {
      let name = HammerPlan.name(device)
      let found = DeviceContents(try await store.load(name), try history(of: name, in: store))
      let number = found.commits
      if number < durableCommits[device] ?? 0 {
        outcome.violations.append(
          "\(name): commit \(durableCommits[device] ?? 0) was power-safe, but the last stored is \(number)"
        )
      }
      if number > (commits[device] ?? 0) + 1 {
        outcome.violations.append("\(name): commit \(number) was never made")
      }
      var plan = HammerPlan(device: device, seed: seed), expected = DeviceContents()
      while plan.number < number { expected.apply(plan.next()) }
      for difference in found.differences(from: expected) {
        outcome.violations.append("\(name) after commit \(number): \(difference)")
      }
      while plan.number < commits[device] ?? 0 { outcome.lostFixes += plan.next().fixes.count }
    }
    if outcome.lostFixes >= syncCount {
      outcome.violations.append("\(outcome.lostFixes) fixes are lost; fewer than \(syncCount) are allowed")
    }
    return outcome
  }

  private func history(of device: DeviceID, in store: SQLiteStore) throws -> [LoggedFix] {
    var all: [LoggedFix] = []
    try store.history(of: device) { all.append($0.fix) }
    return all
  }
}

/// The content of a store for one device.
struct DeviceContents {
  private var fixes: [LoggedFix] = []
  private var records: [NumberedFenceRecord] = []
  private var fences: [FenceID: StoreCommit.FenceChange.Entry] = [:]
  private var serial: UInt64 = 0
  private var hasSnapshot = false
  private var since = 0
  private(set) var commits: UInt64 = 0

  init() {}

  init(_ record: DeviceRecord, _ history: [LoggedFix]) {
    fixes = history
    records = record.fenceRecords
    for entry in record.fences { fences[entry.fence.id] = entry }
    serial = record.lastSerial
    hasSnapshot = record.snapshot != nil
    since = record.fixesSinceSnapshot.count
    commits = record.processedUntil.map { UInt64($0.seconds(since: HammerPlan.start).rounded()) } ?? 0
  }

  mutating func apply(_ commit: StoreCommit) {
    fixes += commit.fixes
    since += commit.fixes.count
    records += commit.fenceRecords
    for entry in commit.fences.set { fences[entry.fence.id] = entry }
    serial = commit.fences.lastSerial ?? serial
    if commit.snapshot != nil {
      hasSnapshot = true
      since = 0
    }
  }

  func differences(from expected: DeviceContents) -> [String] {
    var differences: [String] = []
    if fixes != expected.fixes {
      differences.append("\(fixes.count) fixes, not \(expected.fixes.count), or others")
    }
    if records != expected.records {
      differences.append("\(records.count) fence records, not \(expected.records.count), or others")
    }
    if fences != expected.fences || serial != expected.serial { differences.append("other fences") }
    if hasSnapshot != expected.hasSnapshot || since != expected.since {
      differences.append("\(since) fixes since the snapshot, not \(expected.since)")
    }
    return differences
  }
}
