import Foundation
import Whereabouts
import WhereaboutsStore

/// Commits of a fix and a crossing that are synced, beside raw SQLite, in turns.
enum Writing {
  static let writers = 64

  /// Blocks of so many commits take turns, so that both meet the same disk.
  private static let block = 50

  static func compare(runs: Int, commits: Int) async throws {
    var raw: [Double] = [], ratios: [Double] = [], gains: [Double] = [], gainsOfOne: [Double] = []
    for _ in 0..<max(1, runs) {
      let turns = try await takeTurns(commits)
      raw.append(turns.raw)
      ratios.append(turns.raw / turns.store)
      gains.append(turns.raw / (try await together(4 * commits, devices: writers)))
      gainsOfOne.append(turns.raw / (try await together(4 * commits, devices: 1)))
    }
    let base = median(raw)
    print("  raw SQLite, one at a time: \(digits(base)) us a commit, \(digits(1e6 / base, 0)) a second")
    print(
      "  store, one at a time: \(digits(100 * median(ratios))) % of raw's rate (runs: \(list(ratios.map { 100 * $0 })))"
    )
    // Each device has pages of its own, which are written to the log whole: one device's commits share them.
    for (of, gains) in [("a device each", gains), ("all of one device", gainsOfOne)] {
      print(
        "  store, \(writers) at once, \(of): \(digits(median(gains))) times raw's rate one at a time "
          + "(runs: \(list(gains)))")
    }
  }

  private static func list(_ values: [Double]) -> String { values.map { digits($0) }.joined(separator: " ") }

  /// - Returns: microseconds a commit; of each the median block.
  private static func takeTurns(_ commits: Int) async throws -> (raw: Double, store: Double) {
    let folder = try Folder()
    let file = folder.path + "/raw.sqlite"
    try SQLiteStore.open(at: file).close()
    let raw = RawSQLite(path: file)
    let store = try SQLiteStore.open(at: folder.path + "/store.sqlite")
    var times: (raw: [Double], store: [Double]) = ([], [])
    let clock = ContinuousClock()
    for first in stride(from: 1, to: Int64(commits), by: block) {
      let numbers = first..<first + Int64(block)
      times.raw.append(microseconds(block) { for number in numbers { raw.writeCrossing(number) } })
      let made = numbers.map { Scene.commit($0) }
      let start = clock.now
      for commit in made { try await store.commit(commit) }
      times.store.append(seconds(start.duration(to: clock.now)) * 1e6 / Double(block))
    }
    return (median(times.raw), median(times.store))
  }

  /// - Returns: microseconds a commit; the median of rounds in which each writer commits some.
  private static func together(_ commits: Int, devices: Int) async throws -> Double {
    let folder = try Folder()
    let store = try SQLiteStore.open(at: folder.path + "/store.sqlite")
    let each = 10
    var rounds: [Double] = []
    let clock = ContinuousClock()
    for round in 0..<max(1, commits / each / writers) {
      let made = (0..<writers).map { writer in
        let first = Int64((round * writers + writer) * each + 1)
        let device = DeviceID(rawValue: "device \(writer % devices)")
        return (first..<first + Int64(each)).map { Scene.commit($0, device: device) }
      }
      let start = clock.now
      try await withThrowingTaskGroup(of: Void.self) { group in
        for commits in made { group.addTask { for commit in commits { try await store.commit(commit) } } }
        try await group.waitForAll()
      }
      rounds.append(seconds(start.duration(to: clock.now)) * 1e6 / Double(each * writers))
    }
    return median(rounds)
  }

}

func seconds(_ duration: Duration) -> Double {
  Double(duration.components.seconds) + Double(duration.components.attoseconds) * 1e-18
}

func microseconds(_ count: Int, _ body: () throws -> Void) rethrows -> Double {
  let clock = ContinuousClock()
  return seconds(try clock.measure(body)) * 1e6 / Double(count)
}

func median(_ values: [Double]) -> Double {
  let sorted = values.sorted()
  return sorted.isEmpty ? .nan : sorted[sorted.count / 2]
}

func digits(_ value: Double, _ digits: Int = 1) -> String { String(format: "%.\(digits)f", value) }
