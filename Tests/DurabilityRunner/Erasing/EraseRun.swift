import WhereaboutsEngine
import FaultyDisk
import Foundation
import Whereabouts
import WhereaboutsStore
import WhereaboutsTesting

/// Kills processes while they erase part of a history. The next opening must complete the erasure, so that no file
/// contains an erased byte; or nothing was erased at all.
struct EraseRun {
  private static let fixes = 4_000
  private static let start = UTCTime(nanosecondsSince1970: 1_717_243_200_000_000_000)
  /// The seconds of the erased fixes.
  private static let erased = 1_000..<3_000

  private let options: RunnerOptions
  private var violations: [String] = []
  private var kills = 0
  private var untouched = 0

  init(_ options: RunnerOptions) { self.options = options }

  mutating func run() async throws {
    if let path = options.optionalText("store") { return try erase(path) }
    let count = Int(try options.number("count", default: 20)), seed = try options.number("seed", default: 1)
    var random = SeededGenerator(seed: seed)
    let folder = try WorkFolder()
    let template = folder.path("template.sqlite")
    try await fill(template)
    let calm = try runKilled(at: 0, percent: 0, template, in: folder).value("operations")
    guard let writes = calm.flatMap(UInt64.init), writes > 2 else {
      throw RunnerError("nothing was written")
    }
    while kills < count {
      let place = UInt64.random(in: 1...writes, using: &random)
      let percent = [0, 50, 100].randomElement(using: &random) ?? 0
      let end = try runKilled(at: place, percent: percent, template, in: folder)
      if end.isKilled { kills += 1 }
      try check(folder.path("killed.sqlite"), "killed in write \(place) of \(writes), \(percent) %")
    }
    folder.remove()
    for violation in violations { printLine("violated: \(violation)") }
    printLine("kills \(kills), seed \(seed): nothing erased yet \(untouched), violations \(violations.count)")
    printLine(violations.isEmpty ? "done" : "violated")
  }

  // MARK: Killed process

  private func erase(_ path: String) throws {
    let store = try SQLiteStore.open(at: path)
    let before = faulty_disk_operations()
    let kill = try options.number("kill-at", default: 0)
    if kill > 0 { faulty_disk_kill_at(before + kill, UInt32(try options.number("percent", default: 0))) }
    try store.forget(.span(Self.time(Self.erased.lowerBound)..<Self.time(Self.erased.upperBound), of: .this))
    printLine("operations \(faulty_disk_operations() - before)")
    printLine("done")
  }

  private func runKilled(
    at place: UInt64, percent: Int, _ template: String, in folder: WorkFolder
  ) throws -> ChildProcess.Termination {
    let path = folder.path("killed.sqlite")
    for suffix in ["", "-wal", "-shm", "-reserve"] {
      try? FileManager.default.removeItem(atPath: path + suffix)
    }
    try FileManager.default.copyItem(atPath: template, toPath: path)
    return try ChildProcess(
      ["erase", "--store", path, "--kill-at", "\(place)", "--percent", "\(percent)"], in: folder.url
    ).end()
  }

  // MARK: Checks

  private static func time(_ second: Int) -> UTCTime { start.advanced(by: .seconds(second)) }

  private static func latitude(_ second: Int) -> Double { 40.000_123_4 + Double(second) * 1e-4 }

  private func fill(_ path: String) async throws {
    let store = try SQLiteStore.open(at: path)
    for first in stride(from: 0, to: Self.fixes, by: 500) {
      var commit = StoreCommit(device: .this)
      commit.fixes = (first..<first + 500).map {
        LoggedFix(Fix.test(latitude: Self.latitude($0), longitude: 8, accuracy: 4, time: Self.time($0)))
      }
      commit.snapshot = EngineSnapshot()
      try await store.commit(commit)
    }
    store.close()
  }

  private mutating func check(_ path: String, _ hint: String) throws {
    let store = try SQLiteStore.open(at: path)
    var left: [UTCTime] = []
    try store.history(of: .this) { left.append($0.rowTime) }
    if try store.isErasurePending {
      violations.append("\(hint): the next opening did not complete the erasure")
    }
    let rest = (0..<Self.fixes).filter { !Self.erased.contains($0) }.map(Self.time)
    if left.count == Self.fixes {
      untouched += 1
    } else if left != rest {
      violations.append(
        "\(hint): \(left.count) fixes of \(Self.fixes) are left, or the wrong ones")
    } else {
      checkForErasedBytes(path, hint)
    }
    store.close()
    if let wrong = SQLiteCheck.problem(of: path) {
      violations.append("\(hint): integrity_check reports \(wrong)")
    }
  }

  private mutating func checkForErasedBytes(_ path: String, _ hint: String) {
    let url = URL(fileURLWithPath: path), folder = url.deletingLastPathComponent().path
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    for name in names where name.hasPrefix(url.lastPathComponent) {
      guard let content = FileManager.default.contents(atPath: folder + "/" + name) else { continue }
      for second in stride(from: Self.erased.lowerBound, to: Self.erased.upperBound, by: 61) {
        let bytes = withUnsafeBytes(of: Self.latitude(second).bitPattern.bigEndian) { Data($0) }
        if content.range(of: bytes) != nil {
          return violations.append("\(hint): \(name) contains the erased fix of second \(second)")
        }
      }
    }
  }
}
