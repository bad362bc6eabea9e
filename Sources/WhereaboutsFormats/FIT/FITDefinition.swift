/// The layout of the data messages of one local type.
struct FITDefinition {
  /// A field of a message.
  private struct Field {
    let type: FITBaseType
    /// The size in bytes; 0 for no field, and for a size that does not fit the type.
    let size: UInt8
    /// The offset in the message, after its header; less than `.max`, since 255 fields have 255 bytes each at most.
    let offset: UInt16

    /// No field.
    static let none = Field(type: FITBaseType(code: 0), size: 0, offset: .max)
  }

  let global: UInt16
  let isBigEndian: Bool
  /// The fields by their numbers; of several with one number the first.
  private var fields = [Field](repeating: .none, count: 256)
  /// The bytes of a message, after its header.
  private(set) var size = 0

  /// Returns the bytes of a definition message, or of as much of it as is needed to know its length; `nil` if there are
  /// fewer.
  static func length(_ bytes: UnsafeRawBufferPointer, from start: Int, hasDeveloperFields: Bool) -> Int? {
    guard start + 6 <= bytes.count else { return nil }
    let fields = 6 + 3 * Int(bytes[start + 5])
    guard hasDeveloperFields else { return fields }
    guard start + fields < bytes.count else { return nil }
    return fields + 1 + 3 * Int(bytes[start + fields])
  }

  /// Reads a whole definition message, which begins with its header.
  init(_ bytes: UnsafeRawBufferPointer) {
    isBigEndian = bytes[2] == 1
    let first = UInt16(bytes[3]), second = UInt16(bytes[4])
    global = isBigEndian ? first << 8 | second : second << 8 | first
    var position = 6
    for _ in 0..<bytes[5] {
      let number = Int(bytes[position]), size = Int(bytes[position + 1])
      let type = FITBaseType(code: bytes[position + 2])
      if fields[number].offset == .max {
        let fits = type.size.map { size % $0 == 0 } ?? true
        fields[number] = Field(type: type, size: fits ? UInt8(size) : 0, offset: UInt16(self.size))
      }
      self.size += size
      position += 3
    }
    guard position < bytes.count else { return }
    // Fields of developers are skipped by their size.
    let count = Int(bytes[position])
    position += 1
    for _ in 0..<count {
      size += Int(bytes[position + 1])
      position += 3
    }
  }

  /// Returns the bytes of a field in a message; `nil` if it is absent, or its size does not fit its type.
  func bytes(of number: UInt8, in message: UnsafeRawBufferPointer) -> (UnsafeRawBufferPointer, FITBaseType)? {
    let field = fields[Int(number)]
    guard field.size > 0 else { return nil }
    let start = Int(field.offset)
    return (UnsafeRawBufferPointer(rebasing: message[start..<start + Int(field.size)]), field.type)
  }
}

/// A data message with its definition.
struct FITMessage {
  let definition: FITDefinition
  let bytes: UnsafeRawBufferPointer

  /// Returns the whole number of a field, the first of several; `nil` if it is absent or invalid.
  func integer(_ number: UInt8) -> Int64? {
    guard let (bytes, type) = definition.bytes(of: number, in: bytes) else { return nil }
    return type.integer(bytes, isBigEndian: definition.isBigEndian)
  }

  /// Returns the time of a field, in seconds; `nil` if it is absent, invalid, or more than the 32 bits of the format.
  func seconds(_ number: UInt8) -> Int64? {
    integer(number).flatMap { (0..<0xFFFF_FFFF).contains($0) ? $0 : nil }
  }

  /// Returns the number of a field, by its scale and offset.
  func number(_ field: UInt8, scale: Double = 1, offset: Double = 0) -> Double? {
    // One division of two whole numbers gives exactly the decimal of the format.
    integer(field).map { (Double($0) - offset * scale) / scale }
  }

  /// Returns the text of a field; `nil` if it is absent or empty.
  func text(_ number: UInt8) -> String? {
    guard let (bytes, type) = definition.bytes(of: number, in: bytes), type.code == 0x07 else { return nil }
    let text = String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    return text.isEmpty ? nil : text
  }

  /// Returns the bytes of a field; `nil` if it is absent, or all of them are 0xFF.
  func raw(_ number: UInt8) -> UnsafeRawBufferPointer? {
    guard let (bytes, _) = definition.bytes(of: number, in: bytes) else { return nil }
    return bytes.allSatisfy { $0 == 0xFF } ? nil : bytes
  }
}
