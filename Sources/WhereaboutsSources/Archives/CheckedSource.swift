import CZlib
import WhereaboutsModel
import WhereaboutsFormats

/// The bytes of an archive's entry, with a check of their number and checksum.
final class CheckedSource: ByteSource {
  private let base: any ByteSource
  private let size: Int
  private let checksum: UInt32
  private let name: String
  private var count = 0
  private var value: UInt = 0
  private var ownDamage: ByteDamage?
  var consumed: Int { base.consumed }
  var damage: ByteDamage? { base.damage ?? ownDamage }

  init(_ base: any ByteSource, size: Int, checksum: UInt32, name: String) {
    self.base = base
    self.size = size
    self.checksum = checksum
    self.name = name
  }

  func read(into buffer: UnsafeMutableRawBufferPointer) throws(SourceProblem) -> Int {
    let read = try base.read(into: buffer)
    count += read
    guard count <= size else {
      throw SourceProblem(
        .unreadable, message: "read \(name): it is longer than the archive states; the archive is not genuine"
      )
    }
    if read > 0 {
      value = crc32(value, buffer.baseAddress?.assumingMemoryBound(to: UInt8.self), UInt32(read))
    } else if base.damage == nil, count < size {
      ownDamage = ByteDamage(kind: .truncated, rule: "it is shorter than the archive states")
    } else if base.damage == nil, UInt32(truncatingIfNeeded: value) != checksum {
      ownDamage = ByteDamage(kind: .wrongChecksum, rule: "the checksum of the archive does not match")
    }
    return read
  }
}
