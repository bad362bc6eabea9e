import WhereaboutsModel

/// A reader of the structures of a zip archive.
struct ZipReader {
  /// The place of the directory.
  struct Directory {
    var offset: Int64
    var size: Int64
    var count: Int
  }

  private let archive: ArchiveBytes
  private let name: String

  init(_ archive: ArchiveBytes, name: String) {
    self.archive = archive
    self.name = name
  }

  func problem(_ rule: String) -> SourceProblem {
    SourceProblem(.unreadable, message: "read \(name): \(rule)")
  }

  private var damaged: SourceProblem {
    SourceProblem(
      .unreadable, message: "read \(name): the archive is damaged, or not complete",
      remedy: "Copy or download it again.")
  }

  /// Reads some bytes, all of them.
  func read(at offset: Int64, count: Int) throws(SourceProblem) -> [UInt8] {
    guard offset >= 0, count >= 0 else { throw damaged }
    var bytes = [UInt8](repeating: 0, count: count)
    var done = 0
    while done < count {
      let read: Int
      do {
        read = try bytes.withUnsafeMutableBytes {
          try archive.read(
            at: offset + Int64(done), into: UnsafeMutableRawBufferPointer(rebasing: $0[done...]))
        }
      } catch { throw ByteFile.problem(name, error) }
      guard read > 0 else { throw damaged }
      done += read
    }
    return bytes
  }

  // MARK: The directory

  /// The end record is 22 bytes long, and a comment of up to 64 KiB follows.
  private static let endLength = 22

  func directory() throws(SourceProblem) -> Directory {
    let size = archive.size
    let length = Int(min(size, Int64(Self.endLength + 0xFFFF)))
    let tailOffset = size - Int64(length)
    let tail = try read(at: tailOffset, count: length)
    var position = length - Self.endLength
    while position >= 0, !tail.has(signature: 0x0605_4B50, at: position) { position -= 1 }
    guard position >= 0 else { throw damaged }
    var directory = Directory(
      offset: Int64(tail.number(at: position + 16, bytes: 4)),
      size: Int64(tail.number(at: position + 12, bytes: 4)),
      count: Int(tail.number(at: position + 10, bytes: 2)))
    let isLong = directory.count == 0xFFFF || directory.size == 0xFFFF_FFFF || directory.offset == 0xFFFF_FFFF
    if isLong, let long = try longDirectory(before: tailOffset + Int64(position)) { directory = long }
    guard directory.offset >= 0, directory.size >= 0, directory.offset <= size,
      directory.size <= size - directory.offset
    else { throw damaged }
    return directory
  }

  /// Reads the 64-bit end record, which a locator before the end record names.
  private func longDirectory(before end: Int64) throws(SourceProblem) -> Directory? {
    guard end >= 20 else { return nil }
    let locator = try read(at: end - 20, count: 20)
    guard locator.has(signature: 0x0706_4B50, at: 0) else { return nil }
    guard let offset = Int64(exactly: locator.number(at: 8, bytes: 8)), offset < end else { throw damaged }
    let record = try read(at: offset, count: 56)
    guard record.has(signature: 0x0606_4B50, at: 0),
      let count = Int(exactly: record.number(at: 32, bytes: 8)),
      let size = Int64(exactly: record.number(at: 40, bytes: 8)),
      let start = Int64(exactly: record.number(at: 48, bytes: 8))
    else { throw damaged }
    return Directory(offset: start, size: size, count: count)
  }

  /// Reads an entry of the directory.
  func entry(_ bytes: [UInt8], at start: Int) throws(SourceProblem) -> (ZipArchive.Entry, length: Int) {
    guard start + 46 <= bytes.count, bytes.has(signature: 0x0201_4B50, at: start) else { throw damaged }
    let nameLength = Int(bytes.number(at: start + 28, bytes: 2))
    let extraLength = Int(bytes.number(at: start + 30, bytes: 2))
    let length = 46 + nameLength + extraLength + Int(bytes.number(at: start + 32, bytes: 2))
    guard start + length <= bytes.count else { throw damaged }
    var size = bytes.number(at: start + 24, bytes: 4)
    var compressed = bytes.number(at: start + 20, bytes: 4)
    var offset = bytes.number(at: start + 42, bytes: 4)
    let extra = bytes[(start + 46 + nameLength)..<(start + 46 + nameLength + extraLength)]
    var long = LongNumbers(Array(extra))
    if size == 0xFFFF_FFFF { size = long.next() ?? size }
    if compressed == 0xFFFF_FFFF { compressed = long.next() ?? compressed }
    if offset == 0xFFFF_FFFF { offset = long.next() ?? offset }
    guard let size = Int64(exactly: size), let compressed = Int64(exactly: compressed),
      let offset = Int64(exactly: offset)
    else { throw damaged }
    let entry = ZipArchive.Entry(
      name: String(decoding: bytes[(start + 46)..<(start + 46 + nameLength)], as: UTF8.self),
      method: UInt16(bytes.number(at: start + 10, bytes: 2)),
      isEncrypted: bytes.number(at: start + 8, bytes: 2) & 1 == 1,
      checksum: UInt32(bytes.number(at: start + 16, bytes: 4)), compressedSize: compressed, size: size,
      offset: offset)
    return (entry, length)
  }

  /// Returns the offset of an entry's bytes, which follow its local header.
  func dataOffset(of entry: ZipArchive.Entry) throws(SourceProblem) -> Int64 {
    let header = try read(at: entry.offset, count: 30)
    guard header.has(signature: 0x0403_4B50, at: 0) else { throw damaged }
    return entry.offset + 30 + Int64(header.number(at: 26, bytes: 2) + header.number(at: 28, bytes: 2))
  }
}

/// The numbers of an entry that are too large for its fields, in their order.
private struct LongNumbers {
  private var numbers: [UInt64] = []

  init(_ extra: [UInt8]) {
    var position = 0
    while position + 4 <= extra.count {
      let length = Int(extra.number(at: position + 2, bytes: 2))
      guard position + 4 + length <= extra.count else { return }
      if extra.number(at: position, bytes: 2) == 1 {
        for index in 0..<min(length / 8, 3) {
          numbers.append(extra.number(at: position + 4 + index * 8, bytes: 8))
        }
        return
      }
      position += 4 + length
    }
  }

  mutating func next() -> UInt64? { numbers.isEmpty ? nil : numbers.removeFirst() }
}

extension [UInt8] {
  /// Returns the little-endian number of some bytes.
  fileprivate func number(at start: Int, bytes count: Int) -> UInt64 {
    var number: UInt64 = 0
    for index in (0..<count).reversed() { number = number << 8 | UInt64(self[start + index]) }
    return number
  }

  fileprivate func has(signature: UInt64, at start: Int) -> Bool {
    start + 4 <= count && number(at: start, bytes: 4) == signature
  }
}
