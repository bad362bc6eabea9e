import Foundation

/// What keeps a file from being written, for a while.
protocol TransientProblem {
  func begin() throws
  /// Keeps it up, after each fix.
  func sustain() throws
  func end() throws
}

extension TransientProblem {
  func sustain() {}
}

/// A disk on which nothing is left, and whatever is given back is somebody else's at once. For a small disk of the test's
/// own.
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
      guard written < 100_000_000 else { throw RunnerError("this disk is not small") }
    }
    guard errno == ENOSPC else { throw RunnerError("it is not full: \(errno)") }
  }

  func end() throws { try FileManager.default.removeItem(atPath: filler) }
}

/// A limit of the system for how large this process's files may be: a write that fails for another reason than space.
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

/// The `sqlite3` program, in the midst of a transaction of somebody's.
final class DatabaseLock: TransientProblem {
  private let path: String
  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()

  init(path: String) { self.path = path }

  func begin() throws {
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["sqlite3", path]
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    input.fileHandleForWriting.write(Data("BEGIN EXCLUSIVE;\nSELECT 'locked';\n".utf8))
    let answer = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
    guard answer.contains("locked") else { throw RunnerError("sqlite3 does not lock: \(answer)") }
  }

  func end() throws {
    input.fileHandleForWriting.write(Data("ROLLBACK;\n.quit\n".utf8))
    process.waitUntilExit()
  }
}

/// The `sqlite3` program.
enum SQLiteProgram {
  static func run(_ sql: String, on path: String) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["sqlite3", path, sql]
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw RunnerError("sqlite3 could not \(sql)") }
  }
}

/// Bytes in the midst of a file that don't belong there.
enum Garbage {
  static func write(into path: String) throws {
    let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
    let size = try file.seekToEnd()
    // All but the first page, by which it is known.
    var place: UInt64 = 4096
    while place < size {
      try file.seek(toOffset: place)
      file.write(Data((0..<min(2048, size - place)).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ place) }))
      place += 4096
    }
    try file.close()
  }
}
