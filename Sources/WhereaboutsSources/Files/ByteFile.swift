import SystemPackage
import WhereaboutsCore

/// A file or standard input, read once from its beginning in chunks. Closed when nobody holds it any more.
final class ByteFile {
  /// Large enough that the system's share of the time is small, small enough to stay in the cache.
  static let chunkSize = 1 << 18

  /// What to call it in messages.
  let name: String
  /// Bytes of the whole, where that is known beforehand.
  let size: Int?
  private let descriptor: FileDescriptor
  private let isOurs: Bool
  private let buffer: UnsafeMutableRawBufferPointer
  /// Bytes at the beginning of the buffer that have been looked at and not been given away.
  private var held = 0

  /// Opens a path, or standard input for `-`.
  init(path: String) throws(SourceTrouble) {
    isOurs = path != "-"
    name = isOurs ? path : "standard input"
    do {
      descriptor = isOurs ? try FileDescriptor.open(FilePath(path), .readOnly) : .standardInput
      size = isOurs ? Self.size(of: descriptor) : nil
      buffer = .allocate(byteCount: Self.chunkSize, alignment: 64)
    } catch let error as Errno where error == .permissionDenied || error == .notPermitted {
      throw SourceTrouble(
        .notPermitted, message: "read \(path): permission denied", remedy: AccessRemedy(path: path)?.text)
    } catch {
      throw Self.trouble(name, error)
    }
  }

  deinit {
    // Nothing was written, so a failure to close loses nothing.
    if isOurs { try? descriptor.close() }
    buffer.deallocate()
  }

  /// The next bytes, valid until the next call; empty at the end.
  func next() throws(SourceTrouble) -> UnsafeRawBufferPointer {
    if held > 0 {
      defer { held = 0 }
      return UnsafeRawBufferPointer(rebasing: buffer[..<held])
    }
    do {
      let count = try descriptor.read(into: buffer)
      return UnsafeRawBufferPointer(rebasing: buffer[..<count])
    } catch {
      throw Self.trouble(name, error)
    }
  }

  /// The first bytes, so many where there are; ``next()`` gives them all the same. Call before that.
  func opening(_ count: Int) throws(SourceTrouble) -> UnsafeRawBufferPointer {
    do {
      while held < count {
        let more = try descriptor.read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[held...]))
        if more == 0 { break }
        held += more
      }
      return UnsafeRawBufferPointer(rebasing: buffer[..<min(held, count)])
    } catch {
      throw Self.trouble(name, error)
    }
  }

  /// In the system's words, but not as the beginning of a sentence.
  private static func trouble(_ name: String, _ error: any Error) -> SourceTrouble {
    let reason = "\(error)"
    return SourceTrouble(
      .unreadable, message: "read \(name): \(reason.prefix(1).lowercased())\(reason.dropFirst())")
  }

  /// What can't be sought in, such as a pipe, has no size.
  private static func size(of descriptor: FileDescriptor) -> Int? {
    guard let end = try? descriptor.seek(offset: 0, from: .end),
      (try? descriptor.seek(offset: 0, from: .start)) != nil
    else { return nil }
    return Int(exactly: end)
  }
}
