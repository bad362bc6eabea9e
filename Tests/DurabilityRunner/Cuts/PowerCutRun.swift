import FaultyDisk
import Foundation
import Whereabouts
import WhereaboutsStore
import WhereaboutsTesting

/// Cuts the power of a modelled disk at random places in a process's write log, and checks the store that is left.
struct PowerCutRun {
  private let options: RunnerOptions
  private let seed: UInt64
  private let cutCount: Int
  private let devices: UInt64
  private let syncCount: UInt64
  private let folder: WorkFolder

  init(_ options: RunnerOptions) throws {
    self.options = options
    seed = try options.number("seed", default: 1)
    cutCount = Int(try options.number("count", default: 100))
    devices = try options.number("devices", default: 3)
    syncCount = try options.number("sync-count", default: 40)
    folder = try WorkFolder()
  }

  func run() async throws {
    let log = try record()
    var random = SeededGenerator(seed: seed), model = DiskModel(),
      promises = CommitExpectations(devices: devices)
    let places = (0..<cutCount).map { _ in Int.random(in: 0...log.entries.count, using: &random) }.sorted()
    var next = places[...], violations = 0, lost = 0
    for place in 0...log.entries.count {
      while next.first == place {
        next.removeFirst()
        for fate in DiskModel.Fate.allCases {
          let outcome = try await inspect(at: model.diskAfterCut(fate, using: &random), promises)
          lost = max(lost, outcome.lostFixes)
          violations += outcome.violations.count
          for violation in outcome.violations {
            printLine("violated, cut at \(place), \(fate): \(violation)")
          }
        }
      }
      guard place < log.entries.count else { break }
      let entry = log.entries[place]
      if entry.operation == WriteLog.mark {
        promises.record(HammerMark(packed: entry.offset))
      } else {
        model.applyEntry(entry)
      }
    }
    printLine(
      """
      cuts \(cutCount * DiskModel.Fate.allCases.count), seed \(seed): writes, syncs and cuts of files \
      \(log.entries.count), commits \(promises.count), fixes lost that were safe for the process only \(lost) at \
      most, violations \(violations)
      """)
    folder.remove()
    printLine(violations == 0 ? "done" : "violated")
  }

  private func record() throws -> WriteLog {
    var arguments = [
      "hammer", "--store", folder.path("store.sqlite"), "--log", folder.path("log"), "--seed", "\(seed)",
      "--devices", "\(devices)", "--sync-count", "\(syncCount)",
      "--commits", options.optionalText("commits") ?? "100",
    ]
    if let skips = options.optionalText("skips-syncs") { arguments += ["--skips-syncs", skips] }
    let end = try ChildProcess(arguments, in: folder.url).end()
    guard end.isDone else { throw RunnerError("\(end.lines.suffix(3))") }
    return try WriteLog(path: folder.path("log"))
  }

  /// Opens the store that is left and checks its content.
  private func inspect(at disk: [UInt8: [UInt8]], _ promises: CommitExpectations) async throws
    -> PowerCutOutcome
  {
    let path = folder.path("cut.sqlite")
    let names = [
      UInt8(FAULTY_DISK_DATABASE): path, UInt8(FAULTY_DISK_WAL): path + "-wal",
      UInt8(FAULTY_DISK_JOURNAL): path + "-journal", UInt8(FAULTY_DISK_OTHER): path + "-shm",
    ]
    for (kind, name) in names {
      try? FileManager.default.removeItem(atPath: name)
      if kind != UInt8(FAULTY_DISK_OTHER), let bytes = disk[kind] {
        try Data(bytes).write(to: URL(fileURLWithPath: name))
      }
    }
    let outcome: PowerCutOutcome
    do {
      let store = try SQLiteStore.open(at: path)
      outcome = try await promises.outcome(in: store, seed: seed, syncCount: syncCount)
      store.close()
    } catch {
      return PowerCutOutcome(violations: ["the store can't be opened and read: \(error)"])
    }
    guard let wrong = SQLiteCheck.problem(of: path) else { return outcome }
    return PowerCutOutcome(
      lostFixes: outcome.lostFixes, violations: outcome.violations + ["integrity_check reports \(wrong)"])
  }
}

/// The result of a power cut.
struct PowerCutOutcome {
  /// Lost fixes of commits that were acknowledged, but not as power-safe.
  var lostFixes = 0
  var violations: [String] = []
}
