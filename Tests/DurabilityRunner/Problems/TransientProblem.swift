import Foundation

/// A temporary problem that prevents writes to a file.
protocol TransientProblem {
  func begin() throws
  /// Renews the problem after each fix.
  func sustain() throws
  func end() throws
}

extension TransientProblem {
  func sustain() {}
}

/// A full disk whose freed space is used up at once. Only for a small disk of the test.
struct FullDisk: TransientProblem {
  let folder: String
  private var filler: String { folder + "/filler" }

  init(folder: String) { self.folder = folder }

  func sustain() throws { try begin() }

  func begin() throws {
    let descriptor = open(filler, O_WRONLY | O_CREAT | O_APPEND, 0o600)
    guard descriptor >= 0 else { throw RunnerError("no filler") }
    defer { close(descriptor) }
    let block = [UInt8](repeating: 1, count: 4096)
    var written = 0
    while write(descriptor, block, block.count) > 0 {
      written += block.count
      guard written < 100_000_000 else { throw RunnerError("the disk is too large for this test") }
    }
    guard errno == ENOSPC else { throw RunnerError("the disk is not full: \(errno)") }
  }

  func end() throws { try FileManager.default.removeItem(atPath: filler) }
}

/// A system limit for the size of this process's files: a write that fails on a disk with free space.
struct FileLimit: TransientProblem {
  let path: String

  func begin() throws {
    signal(SIGXFSZ, SIG_IGN)
    let attributes = try FileManager.default.attributesOfItem(atPath: path + "-wal")
    guard let size = attributes[.size] as? UInt64 else { throw RunnerError("no size") }
    try limit(to: rlim_t(size))
  }

  func end() throws { try limit(to: nil) }

  private func limit(to size: rlim_t?) throws {
    var limit = rlimit()
    #if canImport(Darwin)
      let resource = RLIMIT_FSIZE
    #else
      let resource = __rlimit_resource_t(RLIMIT_FSIZE.rawValue)
    #endif
    guard getrlimit(resource, &limit) == 0 else { throw RunnerError("no limit") }
    limit.rlim_cur = size ?? limit.rlim_max
    guard setrlimit(resource, &limit) == 0 else { throw RunnerError("no limit") }
  }
}

/// The `sqlite3` program with an open transaction.
final class DatabaseLock: TransientProblem {
  private let path: String
  private let process = Process()
  /// Signalled at the end. `Process.waitUntilExit` may spin forever on a thread that runs tasks.
  private let ended = DispatchSemaphore(value: 0)
  private let input = Pipe()
  private let output = Pipe()

  init(path: String) { self.path = path }

  func begin() throws {
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["sqlite3", path]
    process.standardInput = input
    process.standardOutput = output
    process.terminationHandler = { [ended] _ in ended.signal() }
    try process.run()
    input.fileHandleForWriting.write(Data(".timeout 3600000\nBEGIN EXCLUSIVE;\nSELECT 'locked';\n".utf8))
    let answer = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
    guard answer.contains("locked") else { throw RunnerError("sqlite3 does not lock: \(answer)") }
  }

  func end() throws {
    input.fileHandleForWriting.write(Data("ROLLBACK;\n.quit\n".utf8))
    ended.wait()
  }
}

/// The `sqlite3` program.
enum SQLiteProgram {
  static func run(_ sql: String, on path: String) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["sqlite3", path, sql]
    // `waitUntilExit` may spin forever on a thread that runs tasks.
    let ended = DispatchSemaphore(value: 0)
    process.terminationHandler = { _ in ended.signal() }
    try process.run()
    ended.wait()
    guard process.terminationStatus == 0 else { throw RunnerError("sqlite3 failed: \(sql)") }
  }
}

/// Foreign bytes in the middle of a file.
enum Garbage {
  static func write(into path: String) throws {
    let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
    let size = try file.seekToEnd()
    // All pages but the first, which identifies the file.
    var place: UInt64 = 4096
    while place < size {
      try file.seek(toOffset: place)
      file.write(Data((0..<min(2048, size - place)).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ place) }))
      place += 4096
    }
    try file.close()
  }
}
