import Foundation
import Whereabouts
import WhereaboutsEngine
import WhereaboutsModel
import WhereaboutsStore

/// The durations of operations on a history of many rows.
enum History {
  static func run(rows: Int64) async throws {
    let folder = try Folder()
    let file = folder.path + "/store.sqlite"
    let writing = ContinuousClock.now
    try await fill(file, rows)
    print("  \(rows) rows written in \(digits(seconds(writing.duration(to: .now)))) s")
    let store = try time("open") { try SQLiteStore.open(at: file) }
    print("  \(try store.bytesInUse / rows) bytes a row")
    _ = try time("last") { try store.lastFix(of: .this) }
    try await load(store)
    let middle = Scene.time(rows / 2), day: Int64 = 86_400_000_000_000
    let span = UTCTime(nanosecondsSince1970: middle)..<UTCTime(nanosecondsSince1970: middle + day)
    var count = 0
    try time("a day's span") { try store.history(of: .this, in: span) { _ in count += 1 } }
    print("  (\(count) fixes)")
    try forget(store, span, "forget a day")
    let half = Scene.time(rows / 2) - day
    try forget(store, UTCTime(nanosecondsSince1970: 0)..<UTCTime(nanosecondsSince1970: half), "forget a half")
  }

  private static func forget(_ store: SQLiteStore, _ span: Range<UTCTime>, _ what: String) throws {
    let start = ContinuousClock.now
    var last = start, longest = Duration.zero, told = 0
    let erased = try store.forget(.span(span, of: .this)) { _ in
      longest = max(longest, last.duration(to: .now))
      last = .now
      told += 1
      return true
    }
    print(
      "  \(what): \(erased) rows, \(digits(1e3 * seconds(start.duration(to: .now)))) ms; told \(told) times, "
        + "\(digits(1e3 * seconds(longest))) ms apart at the most")
  }

  private static func fill(_ file: String, _ rows: Int64) async throws {
    let store = try SQLiteStore.open(at: file)
    var number: Int64 = 0
    while number < rows {
      var commit = StoreCommit(device: .this)
      for _ in 0..<min(10_000, rows - number) {
        number += 1
        let fix = Scene.fix(number)
        commit.fixes.append(LoggedFix(fix, seen: fix.time))
      }
      commit.snapshot = EngineSnapshot()
      try await store.commit(commit)
    }
  }

  private static func load(_ store: SQLiteStore) async throws {
    let start = ContinuousClock.now
    _ = try await store.load(.this)
    print("  load: \(digits(1e3 * seconds(start.duration(to: .now)))) ms")
  }

  @discardableResult
  private static func time<Value>(_ what: String, _ body: () throws -> Value) rethrows -> Value {
    let start = ContinuousClock.now
    let value = try body()
    print("  \(what): \(digits(1e3 * seconds(start.duration(to: .now)))) ms")
    return value
  }
}
