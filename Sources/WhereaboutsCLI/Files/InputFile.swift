/// A file or standard input, read once from its beginning in chunks.
final class InputFile {
  /// Bytes of one read. Large enough that the system's share of the time is small, small enough to stay in the cache.
  static let chunkSize = 1 << 18

  /// What to call it in messages.
  let name: String
  /// Bytes of the whole, where that is known beforehand.
  let size: Int?
  private let descriptor: Int32
  private let buffer: UnsafeMutableRawBufferPointer

  /// Opens a path, or standard input for `-`.
  init(path: String) throws(CommandFailure) {
    let isStandardInput = path == "-"
    name = isStandardInput ? "standard input" : path
    let status: System.FileStatus
    do throws(System.Failure) {
      descriptor = isStandardInput ? System.standardInput : try System.openForReading(path)
      status = try System.status(of: descriptor)
    } catch {
      throw CommandFailure("could not read \(isStandardInput ? "standard input" : path): \(error.reason)")
    }
    size = status.size
    buffer = .allocate(byteCount: Self.chunkSize, alignment: 64)
    if status.isDirectory { throw CommandFailure("could not read \(path): it is a folder") }
  }

  deinit {
    if descriptor != System.standardInput { System.close(descriptor) }
    buffer.deallocate()
  }

  /// The next bytes, valid until the next call; empty at the end.
  func next() throws(CommandFailure) -> UnsafeRawBufferPointer {
    do {
      let count = try System.read(descriptor, into: buffer)
      return UnsafeRawBufferPointer(rebasing: buffer[..<count])
    } catch {
      throw CommandFailure("could not read \(name): \(error.reason)")
    }
  }
}
