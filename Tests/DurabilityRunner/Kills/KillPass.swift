import Foundation
import Whereabouts
import WhereaboutsStore
import WhereaboutsTesting

/// Plays one scenario once without and once with kills.
struct KillPass {
  /// The largest distance between two fixes of a scenario in metres, which is the allowed error of a distance.
  private static let step = 40.0

  private let scenario: UInt64
  private let kills: Int
  private let options: RunnerOptions
  private let folder: WorkFolder
  private var random: SeededGenerator
  private var counts = KillCounts()

  init(scenario: UInt64, kills: Int, _ options: RunnerOptions, _ folder: WorkFolder) throws {
    self.scenario = scenario
    self.kills = kills
    self.options = options
    self.folder = folder
    random = SeededGenerator(seed: scenario &* 7919)
  }

  mutating func run() async throws -> KillCounts {
    counts.scenarios = 1
    let calm = try start("calm").end()
    guard calm.isDone else { throw RunnerError("the run without kills failed: \(calm.lines.suffix(3))") }
    var end = try await killOnce(calm)
    while end == nil { end = try await killOnce(calm) }
    compare(calm, try end ?? start("killed").end())
    return counts
  }

  private func start(_ name: String, _ more: [String] = []) throws -> ChildProcess {
    var arguments = [
      "replay", "--store", folder.path("\(name).sqlite"), "--delivered", folder.path("\(name).txt"),
      "--scenario", "\(scenario)",
    ]
    for option in ["recording", "rounds", "forgets"] {
      if let value = options.optionalText(option) { arguments += ["--" + option, value] }
    }
    return try ChildProcess(arguments + more, in: folder.url)
  }

  /// Starts a process and kills it, unless the number of kills is reached.
  ///
  /// - Returns: the end of a process that completed; `nil` if it was killed.
  private mutating func killOnce(_ calm: ChildProcess.Termination) async throws -> ChildProcess.Termination? {
    guard counts.kills < kills else { return try start("killed").end() }
    let share = 1 / Double(kills), kind = Int.random(in: 0..<10, using: &random)
    let child: ChildProcess
    switch kind {
    case 0..<4:
      let writes = Double(calm.value("operations") ?? "") ?? 1000
      let last = UInt64.random(in: 1...max(8, UInt64(writes * share)), using: &random)
      let percent = [0, 30, 70, 100].randomElement(using: &random) ?? 0
      child = try start("killed", ["--kill-at", "\(last)", "--percent", "\(percent)"])
    case 4..<7:
      let point = CommitPoint.allCases.randomElement(using: &random) ?? .beforeCommit
      let most = point.isFrequent ? max(4, Int(2000 * share)) : 4
      child = try start(
        "killed", ["--kill-point", point.rawValue, "--times", "\(Int.random(in: 1...most, using: &random))"])
    default:
      child = try start("killed")
      child.kill(after: Double.random(in: 0...calm.seconds * share, using: &random))
    }
    let end = try child.end()
    guard end.isKilled else { return end }
    counts.kills += 1
    switch kind {
    case 0..<4: counts.atWrites += 1
    case 4..<7: counts.atPoints += 1
    default: counts.atTimes += 1
    }
    try await checkFile()
    return nil
  }

  /// Checks that the file of a killed process is intact and contains all delivered records.
  private mutating func checkFile() async throws {
    guard let copy = try DatabaseCopy(of: folder.path("killed.sqlite"), in: folder) else {
      return counts.wholeFiles += 1
    }
    if let wrong = SQLiteCheck.problem(of: copy.path) {
      return counts.violations.append("after kill \(counts.kills) integrity_check reports \(wrong)")
    }
    counts.wholeFiles += 1
    let delivered = DeliveryRecord(path: folder.path("killed.txt")).texts.keys.max() ?? 0
    guard delivered > 0 else { return }
    let store = try SQLiteStore.open(at: copy.path), stored = try await store.load(.this).lastRecordNumber
    store.close()
    if stored < delivered {
      counts.violations.append(
        "after kill \(counts.kills) record \(delivered) had been delivered, but the last stored is \(stored)")
    }
  }

  private mutating func compare(_ calm: ChildProcess.Termination, _ killed: ChildProcess.Termination) {
    let expected = DeliveryRecord(path: folder.path("calm.txt"))
    let found = DeliveryRecord(path: folder.path("killed.txt"))
    counts.deliveries += found.deliveries
    counts.repeatedDeliveries += found.deliveries - found.texts.count
    counts.violations += expected.violations + found.violations + found.differences(from: expected)
    if expected.texts.isEmpty { counts.violations.append("nothing was delivered at all") }
    if !killed.isDone {
      counts.violations.append("the last process did not complete: \(killed.lines.suffix(3))")
    }
    let distances = [calm, killed].map { $0.value("distance").flatMap(Double.init) ?? .nan }
    let off = (distances[0] - distances[1]).magnitude
    counts.distanceError = max(counts.distanceError, off)
    // A recording may have a distance of zero.
    let isWay = distances[0] > 0 || options.optionalText("recording") != nil
    if !(off <= Self.step) || !isWay {
      counts.violations.append("distances \(distances[0]) and \(distances[1])")
    }
    if calm.value("fences") != killed.value("fences") {
      counts.violations.append("fences \(calm.value("fences") ?? "-") and \(killed.value("fences") ?? "-")")
    }
  }
}

extension CommitPoint {
  /// Whether nearly every fix reaches this point.
  fileprivate var isFrequent: Bool {
    switch self {
    case .beforeBegin, .afterBegin, .afterFix, .beforeCommit, .afterCommit: true
    case .afterNote, .afterFences, .afterTrip, .afterReceiverUsage, .afterSnapshot, .afterDevice, .afterSync:
      false
    }
  }
}
