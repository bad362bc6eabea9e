import SystemPackage
import WhereaboutsModel

/// A file or standard input, read once from its beginning in chunks. The last reference closes the file.
final class ByteFile {
  /// Bytes of a chunk: large enough that system calls cost little, small enough to stay in the cache.
  static let chunkSize = 1 << 18

  /// The name in messages.
  let name: String
  /// The size in bytes, where known beforehand.
  let size: Int?
  private let descriptor: FileDescriptor
  private let ownsDescriptor: Bool
  private let buffer: UnsafeMutableRawBufferPointer
  /// Bytes at the beginning of the buffer that ``peek(_:)`` has read and ``next()`` has not returned.
  private var bufferedCount = 0

  /// Opens a path, or standard input for `-`.
  init(path: String) throws(SourceProblem) {
    ownsDescriptor = path != "-"
    name = ownsDescriptor ? path : "standard input"
    do {
      descriptor = ownsDescriptor ? try FileDescriptor.open(FilePath(path), .readOnly) : .standardInput
      size = ownsDescriptor ? Self.size(of: descriptor) : nil
      buffer = .allocate(byteCount: Self.chunkSize, alignment: 64)
    } catch let error as Errno where error == .permissionDenied || error == .notPermitted {
      throw SourceProblem(
        .notPermitted, message: "read \(path): permission denied", remedy: AccessRemedy(path: path)?.text)
    } catch {
      throw Self.problem(name, error)
    }
  }

  deinit {
    // Nothing was written, so a failure to close loses nothing.
    if ownsDescriptor { try? descriptor.close() }
    buffer.deallocate()
  }

  /// Returns the next bytes, valid until the next call; empty at the end.
  func next() throws(SourceProblem) -> UnsafeRawBufferPointer {
    if bufferedCount > 0 {
      defer { bufferedCount = 0 }
      return UnsafeRawBufferPointer(rebasing: buffer[..<bufferedCount])
    }
    do {
      let count = try descriptor.read(into: buffer)
      return UnsafeRawBufferPointer(rebasing: buffer[..<count])
    } catch {
      throw Self.problem(name, error)
    }
  }

  /// Returns up to that many first bytes, which ``next()`` returns again. Call before ``next()``.
  func peek(_ count: Int) throws(SourceProblem) -> UnsafeRawBufferPointer {
    do {
      while bufferedCount < count {
        let more = try descriptor.read(
          into: UnsafeMutableRawBufferPointer(rebasing: buffer[bufferedCount...]))
        if more == 0 { break }
        bufferedCount += more
      }
      return UnsafeRawBufferPointer(rebasing: buffer[..<min(bufferedCount, count)])
    } catch {
      throw Self.problem(name, error)
    }
  }

  /// Returns a problem with the system's message, starting in lower case.
  private static func problem(_ name: String, _ error: any Error) -> SourceProblem {
    let reason = "\(error)"
    return SourceProblem(
      .unreadable, message: "read \(name): \(reason.prefix(1).lowercased())\(reason.dropFirst())")
  }

  /// Returns the size of a seekable file; `nil` for a pipe.
  private static func size(of descriptor: FileDescriptor) -> Int? {
    guard let end = try? descriptor.seek(offset: 0, from: .end),
      (try? descriptor.seek(offset: 0, from: .start)) != nil
    else { return nil }
    return Int(exactly: end)
  }
}
