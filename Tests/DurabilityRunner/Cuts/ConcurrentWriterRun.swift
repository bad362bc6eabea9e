import Foundation
import WhereaboutsStore

/// Runs several processes that commit to one file at once, each for its own devices.
struct ConcurrentWriterRun {
  private let processes: UInt64
  private let devicesOfEach: UInt64
  private let commits: UInt64
  private let seed: UInt64

  init(_ options: RunnerOptions) throws {
    processes = try options.number("processes", default: 5)
    devicesOfEach = try options.number("devices", default: 2)
    commits = try options.number("commits", default: 60)
    seed = try options.number("seed", default: 1)
  }

  func run() async throws {
    let folder = try WorkFolder(), path = folder.path("store.sqlite"), start = Date()
    let children = try (0..<processes).map { process in
      try ChildProcess(
        [
          "hammer", "--store", path, "--seed", "\(seed)", "--commits", "\(commits)",
          "--devices", "\(devicesOfEach)", "--first-device", "\(process * devicesOfEach)",
        ], in: folder.url)
    }
    for child in children {
      let end = try child.end()
      if !end.isDone { throw RunnerError("\(end.lines.suffix(3))") }
    }
    var promises = CommitExpectations(devices: processes * devicesOfEach)
    for device in 0..<processes * devicesOfEach {
      promises.record(HammerMark(device: device, commit: commits, isSure: true))
    }
    let store = try SQLiteStore.open(at: path)
    var violations = try await promises.outcome(in: store, seed: seed, syncCount: 1).violations
    store.close()
    if let wrong = SQLiteCheck.problem(of: path) { violations.append("integrity_check reports \(wrong)") }
    for violation in violations { printLine("violated: \(violation)") }
    let seconds = Date().timeIntervalSince(start)
    printLine(
      "processes \(processes), devices \(processes * devicesOfEach), commits \(promises.count), \(seconds) s")
    if violations.isEmpty { folder.remove() }
    printLine(violations.isEmpty ? "done" : "violated")
  }
}
