import Foundation
import Whereabouts
import WhereaboutsStore
import WhereaboutsTesting

/// Kills every watching command repeatedly at random instants, and compares its store with the store of a run without
/// kills.
///
/// The commands are run with the program built beside this one. Each plays the same recording over the same fences.
struct WatcherRun {
  enum Kind: String, CaseIterable {
    case watch, fenceWatch = "fence watch", track

    var arguments: [String] {
      switch self {
      case .watch: ["watch"]
      case .fenceWatch: ["fence", "watch"]
      case .track: ["track", "--trip", "way"]
      }
    }
  }

  /// The allowed error of a distance in metres: the distance that a kill settles.
  private static let distanceError = 40.0

  private let recording: String
  private let fences: String
  private let count: Int
  private let perPass: Int
  private let seed: UInt64
  private let program: String
  private var random: SeededGenerator
  private var violations: [String] = []

  init(_ options: RunnerOptions) throws {
    recording = try options.text("recording")
    fences = try options.text("fences")
    count = Int(try options.number("count", default: 200))
    perPass = Int(try options.number("per-pass", default: 10))
    seed = try options.number("seed", default: 1)
    random = SeededGenerator(seed: seed)
    program = try options.program()
  }

  mutating func run() async throws {
    let start = Date()
    for kind in Kind.allCases {
      let folder = try WorkFolder(), before = violations.count
      let calm = try prepare("calm", folder)
      let seconds = try startWatcher(kind, calm, in: folder).end(allowing: [0]).seconds
      let expected = try await Outcome(of: calm)
      if expected.fixes.isEmpty || expected.events.isEmpty {
        violations.append("\(kind.rawValue): nothing was stored")
      }
      var kills = 0, pass = 0
      while kills < count {
        pass += 1
        let store = try prepare("killed-\(pass)", folder)
        kills += try killRepeatedly(
          kind, store, times: min(perPass, count - kills), within: seconds, in: folder)
        compare(try await Outcome(of: store), with: expected, "\(kind.rawValue), pass \(pass)")
      }
      printLine("\(kind.rawValue): kills \(kills), stores \(pass), violations \(violations.count - before)")
      if violations.count == before { folder.remove() } else { printLine("left in \(folder.url.path)") }
    }
    for violation in violations { printLine("violated: \(violation)") }
    printLine("seed \(seed), \(Int(Date().timeIntervalSince(start))) s")
    printLine(violations.isEmpty ? "done" : "violated")
  }

  // MARK: Commands

  /// Makes a store with fences only.
  private func prepare(_ name: String, _ folder: WorkFolder) throws -> String {
    let path = folder.path("\(name).sqlite")
    let add = ["fence", "import", fences, "--store", path]
    _ = try ChildProcess(add, of: program, in: folder.url).end(allowing: [0])
    return path
  }

  private func startWatcher(_ kind: Kind, _ store: String, in folder: WorkFolder) throws -> ChildProcess {
    let arguments =
      kind.arguments + ["--json", "--store", store, "--source", "replay:\(recording)?speed=max"]
    return try ChildProcess(arguments, of: program, in: folder.url)
  }

  /// - Returns: the number of kills. A run that ends before its kill is the last.
  private mutating func killRepeatedly(
    _ kind: Kind, _ store: String, times: Int, within seconds: Double, in folder: WorkFolder
  ) throws -> Int {
    var kills = 0
    while kills < times {
      let child = try startWatcher(kind, store, in: folder)
      child.kill(after: Double.random(in: 0...seconds * 0.5, using: &random))
      // If the store already contains the whole recording, the command reports a failure.
      guard try child.end(allowing: [0, 1]).isKilled else { return max(kills, 1) }
      kills += 1
      if let copy = try DatabaseCopy(of: store, in: folder), let wrong = SQLiteCheck.problem(of: copy.path) {
        violations.append("\(kind.rawValue): after kill \(kills) integrity_check reports \(wrong)")
      }
    }
    _ = try startWatcher(kind, store, in: folder).end(allowing: [0, 1])
    return kills
  }

  private mutating func compare(_ found: Outcome, with expected: Outcome, _ hint: String) {
    if found.fixes != expected.fixes {
      let isTwice =
        Set(found.fixes).count < found.fixes.count && Set(expected.fixes).count == expected.fixes.count
      violations.append(
        "\(hint): \(found.fixes.count) fixes and not \(expected.fixes.count)\(isTwice ? ", some of them twice" : "")"
      )
    }
    if found.events != expected.events {
      violations.append("\(hint): \(found.events.count) events and not \(expected.events.count), or others")
    }
    if !((found.distance - expected.distance).magnitude <= Self.distanceError) {
      violations.append("\(hint): \(found.distance) m and not \(expected.distance)")
    }
  }
}

/// The final content of a store.
private struct Outcome {
  var fixes: [Fix] = []
  var events: [FenceEvent] = []
  var distance = 0.0

  init(of path: String) async throws {
    let store = try SQLiteStore.open(at: path, access: .readOnly)
    try store.history(of: .this, uses: Set(LoggedFix.Use.allCases)) { fixes.append($0.fix.fix) }
    for numbered in try await store.fenceRecords(of: .this, after: 0, limit: 100_000) {
      if case .event(let event) = numbered.record { events.append(event) }
    }
    distance = try store.trips(of: .this).reduce(0) { $0 + $1.totals.distance }
    store.close()
  }
}
