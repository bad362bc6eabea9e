import FaultyDisk
import Foundation
import Whereabouts
import WhereaboutsStore
import WhereaboutsTesting

/// Commits for several devices at once, directly to a store, and logs every write. Each acknowledged commit is marked
/// in the log.
struct HammerRun {
  private let options: RunnerOptions

  init(_ options: RunnerOptions) { self.options = options }

  func run() async throws {
    if let path = options.optionalText("log"), !faulty_disk_record(path) { throw RunnerError("no \(path)") }
    if options.optionalText("skips-syncs") != nil { faulty_disk_skip_syncs() }
    let seed = try options.number("seed", default: 1), first = try options.number("first-device", default: 0)
    let count = try options.number("commits", default: 100),
      devices = try options.number("devices", default: 3)
    var settings = StoreSettings()
    settings.syncCount = Int(try options.number("sync-count", default: 40))
    // Other processes may stand still in the middle of a commit.
    settings.commitTimeout = .seconds(3600)
    settings.openTimeout = .seconds(3600)
    let store = try SQLiteStore.open(at: try options.text("store"), settings: settings)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for device in first..<first + devices {
        group.addTask { try await Self.hammer(store, device: device, count: count, seed: seed) }
      }
      try await group.waitForAll()
    }
    store.close()
    printLine("done")
  }

  private static func hammer(_ store: SQLiteStore, device: UInt64, count: UInt64, seed: UInt64) async throws {
    var plan = HammerPlan(device: device, seed: seed)
    for _ in 0..<count {
      let commit = plan.next()
      try await store.commit(commit)
      let isSure = commit.durability == .power
      faulty_disk_mark(HammerMark(device: device, commit: plan.number, isSure: isSure).packed)
    }
  }
}
