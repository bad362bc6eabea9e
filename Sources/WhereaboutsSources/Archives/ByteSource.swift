import SystemPackage
import WhereaboutsModel
import WhereaboutsFormats

/// A source of bytes that is read once from its beginning.
protocol ByteSource: AnyObject {
  /// Reads some bytes; 0 at the end.
  func read(into buffer: UnsafeMutableRawBufferPointer) throws(SourceProblem) -> Int
  /// The number of bytes of the file that have been read, compressed if the file is.
  var consumed: Int { get }
  /// The damage at which the bytes ended early; `nil` for an intact end.
  var damage: ByteDamage? { get }
}

/// The reason why bytes of a file or an archive are missing or doubtful.
struct ByteDamage: Hashable {
  let kind: InputProblem.Kind
  let rule: String
}

/// The bytes of a descriptor, in their order.
final class DescriptorSource: ByteSource {
  private let descriptor: FileDescriptor
  private let name: String
  private(set) var consumed = 0
  var damage: ByteDamage? { nil }

  init(_ descriptor: FileDescriptor, name: String) {
    self.descriptor = descriptor
    self.name = name
  }

  func read(into buffer: UnsafeMutableRawBufferPointer) throws(SourceProblem) -> Int {
    do {
      let count = try descriptor.read(into: buffer)
      consumed += count
      return count
    } catch { throw ByteFile.problem(name, error) }
  }
}

/// The bytes of an archive, which can be read at any place: those of a file, of a section of it, or in memory.
struct ArchiveBytes {
  private enum Place {
    /// A file, and the holder of its descriptor.
    case file(FileDescriptor, owner: AnyObject)
    case memory([UInt8])
  }

  private let place: Place
  private let start: Int64
  /// The number of bytes.
  let size: Int64

  /// Creates the bytes of a file that can be sought.
  init(_ descriptor: FileDescriptor, size: Int64, owner: AnyObject) {
    place = .file(descriptor, owner: owner)
    start = 0
    self.size = size
  }

  init(_ bytes: [UInt8]) {
    place = .memory(bytes)
    start = 0
    size = Int64(bytes.count)
  }

  private init(_ bytes: ArchiveBytes, _ range: Range<Int64>) {
    place = bytes.place
    start = bytes.start + range.lowerBound
    size = range.upperBound - range.lowerBound
  }

  /// Whether the bytes are those of a file.
  var isInFile: Bool { if case .file = place { true } else { false } }

  /// Returns the bytes of a range, which are read from the same place; `nil` out of range.
  func section(_ range: Range<Int64>) -> ArchiveBytes? {
    range.lowerBound >= 0 && range.upperBound <= size ? ArchiveBytes(self, range) : nil
  }

  /// Reads some bytes from an offset on; 0 at the end.
  func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
    guard offset >= 0, offset < size else { return 0 }
    let count = Int(min(Int64(buffer.count), size - offset))
    let part = UnsafeMutableRawBufferPointer(rebasing: buffer[..<count])
    switch place {
    case .file(let descriptor, _): return try descriptor.read(fromAbsoluteOffset: start + offset, into: part)
    case .memory(let bytes):
      let first = Int(start + offset)
      part.copyBytes(from: bytes[first..<first + count])
      return count
    }
  }
}

/// A section of an archive.
final class SectionSource: ByteSource {
  private let bytes: ArchiveBytes
  private let name: String
  private var offset: Int64
  private let end: Int64
  private(set) var consumed = 0
  var damage: ByteDamage? { nil }

  init(_ bytes: ArchiveBytes, _ range: Range<Int64>, name: String) {
    self.bytes = bytes
    self.name = name
    offset = range.lowerBound
    end = range.upperBound
  }

  func read(into buffer: UnsafeMutableRawBufferPointer) throws(SourceProblem) -> Int {
    guard offset < end else { return 0 }
    let count = Int(min(Int64(buffer.count), end - offset))
    do {
      let read = try bytes.read(
        at: offset, into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<count]))
      offset += Int64(read)
      consumed += read
      return read
    } catch { throw ByteFile.problem(name, error) }
  }
}
