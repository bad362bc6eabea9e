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

/// A section of a file that can be sought.
final class SectionSource: ByteSource {
  private let descriptor: FileDescriptor
  private let name: String
  private var offset: Int64
  private let end: Int64
  private(set) var consumed = 0
  var damage: ByteDamage? { nil }

  init(_ descriptor: FileDescriptor, _ range: Range<Int64>, name: String) {
    self.descriptor = descriptor
    self.name = name
    offset = range.lowerBound
    end = range.upperBound
  }

  func read(into buffer: UnsafeMutableRawBufferPointer) throws(SourceProblem) -> Int {
    guard offset < end else { return 0 }
    let count = Int(min(Int64(buffer.count), end - offset))
    do {
      let read = try descriptor.read(
        fromAbsoluteOffset: offset, into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<count]))
      offset += Int64(read)
      consumed += read
      return read
    } catch { throw ByteFile.problem(name, error) }
  }
}
