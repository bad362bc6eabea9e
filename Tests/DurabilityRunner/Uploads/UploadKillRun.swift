import Foundation
import Whereabouts
import WhereaboutsModel
import WhereaboutsFormats
import WhereaboutsGeodesy
import WhereaboutsStore
import WhereaboutsTesting
import WhereaboutsUploadQueue

/// Kills processes that upload, again and again, while fixes and crossings are committed, and compares what a server took
/// with what was committed: everything, in order, and repeated only under the same name with the same bytes.
struct UploadKillRun {
  static let endpoint = "receiver"

  private let seed: UInt64
  private let killCount: Int
  /// Whether the comparison is to find something: one request is taken out of what the server took,
  /// however often it came.
  private let dropsItems: Bool

  init(_ options: RunnerOptions) throws {
    seed = try options.number("seed", default: 1)
    killCount = Int(try options.number("count", default: 20))
    dropsItems = options.optionalText("drops") != nil
  }

  func run() async throws {
    let start = Date(), folder = try WorkFolder(), path = folder.path("whereabouts.sqlite")
    let fates = RandomFates(seed: seed)
    let receiver = try await UploadReceiver.start { fates.next() }
    let store = try SQLiteStore.open(at: path)
    var endpoint = Endpoint(name: Self.endpoint, url: receiver.url, template: .whereabouts)
    endpoint.terms = nil
    // The receiver reads what it takes, and unpacks nothing.
    endpoint.compresses = false
    endpoint.batchSize = 7
    endpoint.interval = .milliseconds(20)
    endpoint.backoff = Endpoint.Backoff(first: 0.01, longest: 0.02)
    try store.add(endpoint, from: .beginning)
    var story = UploadScenario(seed: seed)
    var random = SeededGenerator(seed: seed &* 7919)
    var (kills, inWrites, violations) = (0, 0, [String]())
    while kills < killCount {
      for _ in 0..<Int.random(in: 1...4, using: &random) { try await store.commit(story.next()) }
      let isInWrite = Int.random(in: 0..<3, using: &random) == 0
      let more =
        isInWrite
        ? [
          "--kill-at", "\(Int.random(in: 1...60, using: &random))", "--percent",
          "\([0, 50, 100].randomElement(using: &random) ?? 0)",
        ]
        : []
      let child = try ChildProcess(["send", "--store", path] + more, in: folder.url)
      let before = receiver.accepted.count
      let target = before + Int.random(in: 0...3, using: &random)
      // Waits until the process has sent something, or has nothing to send; then kills it at a random instant.
      for _ in 0..<200 where receiver.accepted.count <= target { usleep(1_000) }
      child.kill(after: Double.random(in: 0...0.02, using: &random))
      guard try child.end().isKilled else { throw RunnerError("a process was not killed") }
      kills += 1
      if isInWrite { inWrites += 1 }
      if let copy = try DatabaseCopy(of: path, in: folder), let wrong = SQLiteCheck.problem(of: copy.path) {
        violations.append("after kill \(kills) integrity_check reports \(wrong)")
      }
    }
    let last = try ChildProcess(["send", "--store", path, "--drain", "yes"], in: folder.url).end()
    if !last.isDone { violations.append("the last process did not complete: \(last.lines.suffix(3))") }
    var taken = receiver.accepted
    if dropsItems, !taken.isEmpty {
      let dropped = taken[taken.count / 2].key
      taken.removeAll { $0.key == dropped }
    }
    violations += Self.violations(of: taken, expected: story.ids)
    if let status = try store.uploadStatus().first, status.dead.requests > 0 || status.stopReason != nil {
      violations.append("\(status.dead.requests) set aside; stopped: \(status.stopReason ?? "no")")
    }
    store.close()
    try await receiver.stop()
    for violation in violations.prefix(10) { printLine("violated, seed \(seed): \(violation)") }
    let names = Set(taken.map(\.key)).count
    printLine(
      "upload kills \(kills) (armed in writes \(inWrites)), seed \(seed): items \(story.ids.count), requests \(taken.count), "
        + "of these again \(taken.count - names), violations \(violations.count), \(Int(Date().timeIntervalSince(start))) s"
    )
    if violations.isEmpty { folder.remove() } else { printLine("left in \(folder.url.path)") }
    printLine(violations.isEmpty ? "done" : "violated")
  }

  private static func violations(of taken: [UploadReceiver.Request], expected: [String]) -> [String] {
    var violations: [String] = []
    var names: [String: String] = [:], bodies: [String: String] = [:]
    var order: [String] = []
    for request in taken {
      if let body = bodies[request.key], body != request.body {
        violations.append("\(request.key) arrived with different bytes")
      }
      bodies[request.key] = request.body
      for id in request.ids {
        if let name = names[id] {
          if name != request.key { violations.append("\(id) arrived as \(name) and as \(request.key)") }
        } else {
          names[id] = request.key
          order.append(id)
        }
      }
    }
    let missing = expected.filter { names[$0] == nil }
    if !missing.isEmpty {
      violations.append("lost: \(missing.prefix(5)) and \(max(0, missing.count - 5)) more")
    }
    if missing.isEmpty, order != expected { violations.append("not in order") }
    return violations
  }
}

/// The commits of a run, one after the other.
private struct UploadScenario {
  /// The ids of the items that must arrive, in order.
  private(set) var ids: [String] = []
  private var random: SeededGenerator
  private var seconds = 0
  private var fixes = 0
  private var recordCount: UInt64 = 0

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  mutating func next() -> StoreCommit {
    var commit = StoreCommit(device: .this)
    for _ in 0..<Int.random(in: 1...9, using: &random) {
      seconds += 1
      fixes += 1
      commit.fixes.append(LoggedFix(fix(at: seconds), seen: time(seconds)))
      ids.append("fix/\(fixes)")
    }
    if Int.random(in: 0..<3, using: &random) == 0 {
      recordCount += 1
      let event = FenceEvent(
        id: FenceEvent.ID(recordCount), fence: "home", kind: .enter, manner: .crossed, time: time(seconds),
        timeUncertainty: 0.5, lastBefore: nil, firstAfter: time(seconds), place: fix(at: seconds).coordinate,
        confidence: 0.99, decidedBy: fix(at: seconds), decided: time(seconds), pending: .zero)
      commit.fenceRecords = [NumberedFenceRecord(number: recordCount, record: .event(event))]
      ids.append("note/\(recordCount)")
    }
    return commit
  }

  private func time(_ seconds: Int) -> UTCTime {
    UTCTime(nanosecondsSince1970: 1_800_000_000_000_000_000 + Int64(seconds) * 1_000_000_000)
  }

  private func fix(at seconds: Int) -> Fix {
    .test(
      latitude: 48, longitude: 11 + Double(seconds % 100_000) * 1e-4, accuracy: 5, time: time(seconds))
  }
}

/// A sequence of request fates, determined by a seed.
private final class RandomFates: @unchecked Sendable {
  // Guarded by `lock`.
  private var random: SeededGenerator
  private let lock = NSLock()

  init(seed: UInt64) { random = SeededGenerator(seed: seed &+ 99) }

  func next() -> UploadReceiver.Fate {
    lock.withLock {
      switch Int.random(in: 0..<12, using: &random) {
      case 0: .acceptThenDisconnect
      case 1: .refuse
      case 2: .disconnect
      default: .accept
      }
    }
  }
}
