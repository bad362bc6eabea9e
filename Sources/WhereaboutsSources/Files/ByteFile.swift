import SystemPackage
import WhereaboutsCore

/// A file or standard input, read once from its beginning in chunks. Closed when nobody holds it any more.
final class ByteFile {
  /// Large enough that the system's share of the time is small, small enough to stay in the cache.
  static let chunkSize = 1 << 18

  /// Bytes of the whole, where that is known beforehand.
  let size: Int?
  private let descriptor: FileDescriptor
  private let isOurs: Bool
  private let buffer: UnsafeMutableRawBufferPointer

  /// Opens a path, or standard input for `-`.
  init(path: String) throws(SourceTrouble) {
    isOurs = path != "-"
    do {
      descriptor = isOurs ? try FileDescriptor.open(FilePath(path), .readOnly) : .standardInput
      size = isOurs ? Self.size(of: descriptor) : nil
      buffer = .allocate(byteCount: Self.chunkSize, alignment: 64)
    } catch {
      throw SourceTrouble(.unreadable, message: "open the recording \(path): \(error)")
    }
  }

  deinit {
    // Nothing was written, so a failure to close loses nothing.
    if isOurs { try? descriptor.close() }
    buffer.deallocate()
  }

  /// The next bytes, valid until the next call; empty at the end.
  func next() throws(SourceTrouble) -> UnsafeRawBufferPointer {
    do {
      let count = try descriptor.read(into: buffer)
      return UnsafeRawBufferPointer(rebasing: buffer[..<count])
    } catch {
      throw SourceTrouble(.unreadable, message: "read the recording: \(error)")
    }
  }

  /// What can't be sought in, such as a pipe, has no size.
  private static func size(of descriptor: FileDescriptor) -> Int? {
    guard let end = try? descriptor.seek(offset: 0, from: .end),
      (try? descriptor.seek(offset: 0, from: .start)) != nil
    else { return nil }
    return Int(exactly: end)
  }
}
