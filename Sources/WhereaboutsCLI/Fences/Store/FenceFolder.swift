import WhereaboutsCore
import WhereaboutsFormats

/// The folder that keeps fences, what happened at them, and what was last seen of the device.
///
/// | file | what it holds |
/// | --- | --- |
/// | `fences.geojson` | the fences; replaced as a whole |
/// | `events.jsonl` | the events, one a line; only ever added to |
/// | `watch.json` | where the device was last seen, and events on their way into `events.jsonl`; replaced as a whole |
/// | `fences.lock`, `watch.lock` | held by who changes the fences, by who watches |
///
/// The folder and all in it are their owner's alone: they say where somebody is and goes.
struct FenceFolder: Sendable {
  let folder: String

  var fences: StoreFile { StoreFile(folder: folder, name: "fences.geojson") }
  var state: StoreFile { StoreFile(folder: folder, name: "watch.json") }
  var eventsPath: String { "\(folder)/events.jsonl" }

  /// What `fences.geojson` holds.
  struct Content {
    var fences: [Fence]
    /// What in it could not be read: somebody has edited it.
    var problems: [FenceFileProblem]
  }

  /// Makes the folder where it is missing.
  func make() throws(CommandFailure) {
    do throws(System.Failure) { try System.makePrivateFolder(folder) } catch {
      throw CommandFailure(
        "could not make \(folder): \(error.reason)", code: error.code(otherwise: .failed))
    }
  }

  /// The fences; none where there is no store yet.
  func read() throws(CommandFailure) -> Content {
    guard let bytes = try fences.read() else { return Content(fences: [], problems: []) }
    let file = FenceReader().read(bytes)
    return Content(fences: file.fences, problems: file.problems)
  }

  /// The fences, with what could not be read said on standard error.
  func readTelling() throws(CommandFailure) -> [Fence] {
    let content = try read()
    FenceFileReport.say(content.problems, of: fences.path)
    return content.fences
  }

  /// Changes the fences while nobody else does, and returns when that is on the disk.
  ///
  /// - Parameter change: changes them; where they stay the same, nothing is written.
  /// - Throws: where the file holds something that can't be read, and that would be lost.
  func change<Result>(
    _ change: (inout [Fence]) throws(CommandFailure) -> Result
  ) throws(CommandFailure) -> Result {
    try make()
    let lock = try lock("fences.lock", patience: 500)
    guard let lock else {
      throw CommandFailure("could not change the fences: another process has been changing them for 5 s")
    }
    defer { withExtendedLifetime(lock) {} }
    let content = try read()
    if let first = content.problems.first {
      FenceFileReport.say(content.problems, of: fences.path)
      throw CommandFailure(
        "could not change the fences: \(fences.path) holds something that can't be read, from line "
          + "\(first.line) on, and it would be lost. Repair or remove it first")
    }
    var fences = content.fences
    let result = try change(&fences)
    if fences != content.fences { try self.fences.write(FenceWriter(style: .exact).write(fences)) }
    return result
  }

  /// Keeps others from watching on this store, for as long as what is returned lives.
  func lockWatch() throws(CommandFailure) -> StoreLock {
    try make()
    guard let lock = try lock("watch.lock") else {
      let holder = StoreLock.holder(atPath: "\(folder)/watch.lock").map { ": \($0)" } ?? ""
      throw CommandFailure(
        "could not watch: somebody is watching on this store already\(holder). --store names another")
    }
    do throws(System.Failure) { try lock.sign() } catch {
      throw CommandFailure("could not write \(folder)/watch.lock: \(error.reason)")
    }
    return lock
  }

  private func lock(_ name: String, patience: Int = 0) throws(CommandFailure) -> StoreLock? {
    do throws(System.Failure) { return try StoreLock(path: "\(folder)/\(name)", patience: patience) } catch {
      throw CommandFailure(
        "could not write \(folder)/\(name): \(error.reason)", code: error.code(otherwise: .failed))
    }
  }
}
