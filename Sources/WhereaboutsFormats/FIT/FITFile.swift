import WhereaboutsModel

/// The structure of FIT files in a row: headers, definitions, data and checksums.
struct FITFile: Sendable {
  private enum Phase {
    /// Before the header of a file.
    case header
    /// Among the messages.
    case messages
    /// Before the checksum at the end.
    case checksum
    /// The messages can't be read; up to the end of the file.
    case skipping
  }

  private var phase = Phase.header
  private var files = 0
  /// The offset of the end of the messages; `nil` if the header does not state it.
  private var end: Int?
  private var checksum = FITChecksum()
  private var definitions: [FITDefinition?] = []
  private var reader = FITReader()

  /// Reads the next part: a header, a message or a checksum.
  ///
  /// - Parameters:
  ///   - bytes: the bytes at hand.
  ///   - start: the first byte of the part.
  ///   - offset: the offset of that byte in the input.
  /// - Returns: the number of bytes read; `nil` if more are needed.
  mutating func read(
    _ bytes: UnsafeRawBufferPointer, from start: Int, at offset: Int, into batch: inout RecordingBatch
  ) -> Int? {
    guard start < bytes.count else { return nil }
    switch phase {
    case .header: return readHeader(bytes, from: start, at: offset, into: &batch)
    case .messages:
      if let end, offset >= end {
        phase = .checksum
        return 0
      }
      return readMessage(bytes, from: start, at: offset, into: &batch)
    case .checksum:
      guard start + 2 <= bytes.count else { return nil }
      let stated = UInt16(bytes[start]) | UInt16(bytes[start + 1]) << 8
      if stated != checksum.value {
        report(.wrongChecksum, at: offset, "the checksum of the file does not match", into: &batch)
      }
      phase = .header
      return 2
    case .skipping:
      guard let end else { return bytes.count - start }
      guard offset >= end else { return min(end - offset, bytes.count - start) }
      // With the checksum, which proves nothing about unreadable messages.
      guard start + 2 <= bytes.count else { return nil }
      phase = .header
      return 2
    }
  }

  /// Ends the input with bytes that are no whole part.
  mutating func finish(rest: Int, at offset: Int, into batch: inout RecordingBatch) {
    reader.endFile(into: &batch)
    switch phase {
    case .header:
      if files == 0 || rest > 0 { report(.truncated, at: offset, "no whole header", into: &batch) }
    case .checksum:
      report(.truncated, at: offset, "the file ends before its checksum", into: &batch)
    case .messages:
      if rest > 0 || end != nil {
        report(.truncated, at: offset, "the file ends among its messages", into: &batch)
      }
    case .skipping: break
    }
  }

  private mutating func readHeader(
    _ bytes: UnsafeRawBufferPointer, from start: Int, at offset: Int, into batch: inout RecordingBatch
  ) -> Int? {
    let size = Int(bytes[start])
    guard start + max(12, size) <= bytes.count else { return nil }
    let signature = UnsafeRawBufferPointer(rebasing: bytes[start + 8..<start + 12])
    guard size >= 12, signature.elementsEqual(".FIT".utf8) else {
      report(
        files == 0 ? .malformed : .garbage, at: offset,
        files == 0 ? "no FIT header" : "bytes after the last file that are no FIT header", into: &batch)
      (phase, end) = (.skipping, nil)
      return bytes.count - start
    }
    files += 1
    var length = 0
    for index in 0..<4 { length |= Int(bytes[start + 4 + index]) << (8 * index) }
    checksum = FITChecksum()
    checksum.add(UnsafeRawBufferPointer(rebasing: bytes[start..<start + size]))
    // A recorder that lost power has not written the length.
    end = length == 0 || length == 0xFFFF_FFFF ? nil : offset + size + length
    definitions = Array(repeating: nil, count: 16)
    reader.beginFile(into: &batch)
    phase = .messages
    return size
  }

  // MARK: Messages

  private mutating func readMessage(
    _ bytes: UnsafeRawBufferPointer, from start: Int, at offset: Int, into batch: inout RecordingBatch
  ) -> Int? {
    let header = bytes[start]
    if header & 0xC0 == 0x40 { return readDefinition(bytes, from: start, at: offset) }
    let local = Int(header & 0x80 == 0 ? header & 0x0F : header >> 5 & 3)
    guard let definition = definitions[local] else {
      report(.malformed, at: offset, "a message without a definition", into: &batch)
      phase = .skipping
      return 1
    }
    let length = 1 + definition.size
    guard start + length <= bytes.count else { return nil }
    let message = UnsafeRawBufferPointer(rebasing: bytes[start + 1..<start + length])
    checksum.add(UnsafeRawBufferPointer(rebasing: bytes[start..<start + length]))
    reader.read(
      FITMessage(definition: definition, bytes: message),
      compressedTime: header & 0x80 == 0 ? nil : header & 0x1F, at: offset, into: &batch)
    return length
  }

  private mutating func readDefinition(
    _ bytes: UnsafeRawBufferPointer, from start: Int, at offset: Int
  ) -> Int? {
    let hasDeveloperFields = bytes[start] & 0x20 != 0
    guard
      let length = FITDefinition.length(bytes, from: start, hasDeveloperFields: hasDeveloperFields),
      start + length <= bytes.count
    else { return nil }
    let message = UnsafeRawBufferPointer(rebasing: bytes[start..<start + length])
    checksum.add(message)
    definitions[Int(bytes[start] & 0x0F)] = FITDefinition(message)
    return length
  }

  private func report(
    _ kind: InputProblem.Kind, at offset: Int, _ rule: StaticString, into batch: inout RecordingBatch
  ) {
    batch.problems.report(kind, line: 1, byteOffset: offset, rule.description)
  }
}

/// The checksum of FIT: CRC-16 with the reflected polynomial 0xA001, from 0.
struct FITChecksum {
  private(set) var value: UInt16 = 0

  mutating func add(_ bytes: UnsafeRawBufferPointer) {
    Self.table.withUnsafeBufferPointer { table in
      var value = value
      for byte in bytes { value = value >> 8 ^ table[Int(UInt8(truncatingIfNeeded: value) ^ byte)] }
      self.value = value
    }
  }

  /// The remainders of all bytes.
  private static let table: [UInt16] = (0..<256).map { byte in
    (0..<8).reduce(UInt16(byte)) { value, _ in value & 1 == 1 ? value >> 1 ^ 0xA001 : value >> 1 }
  }
}
