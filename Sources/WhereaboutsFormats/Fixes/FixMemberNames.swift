import WhereaboutsModel

/// A hash table of the members of a fix by their names in JSON.
enum FixMemberNames {
  /// A member that was found.
  struct Entry: Sendable {
    fileprivate let name: Name
    /// The position in `FixMember.all`.
    let index: Int
    let property: FixProperty
  }

  /// A name of 1 to 16 bytes as two words: its first and its last bytes, which may overlap.
  fileprivate struct Name: Equatable, Sendable {
    let head: UInt64
    let tail: UInt64
    let count: Int

    /// The name of a free entry.
    static let none = Name()

    private init() {
      head = 0
      tail = 0
      count = 0
    }

    init?(_ bytes: UnsafeRawBufferPointer) {
      count = bytes.count
      switch count {
      case 8...16:
        head = bytes.loadUnaligned(as: UInt64.self)
        tail = bytes.loadUnaligned(fromByteOffset: count - 8, as: UInt64.self)
      case 4..<8:
        head = UInt64(bytes.loadUnaligned(as: UInt32.self))
        tail = UInt64(bytes.loadUnaligned(fromByteOffset: count - 4, as: UInt32.self))
      case 1..<4:
        head = UInt64(bytes[0]) | UInt64(bytes[count / 2]) << 8
        tail = UInt64(bytes[count - 1])
      default: return nil
      }
    }

    /// The name's place in a table of 64 entries, by multiplicative hashing.
    var hash: Int { Int(truncatingIfNeeded: ((head ^ tail << 7) &* 0x9E37_79B9_7F4A_7C15) >> 58) }
  }

  /// An entry is at the place of its hash, or at the next free one.
  private static let entries: [Entry] = {
    var entries = [Entry](repeating: Entry(name: .none, index: 0, property: .time), count: 64)
    for (index, member) in FixMember.all.enumerated() {
      var key = member.key.rawValue
      guard let name = key.withUTF8({ Name(UnsafeRawBufferPointer($0)) }) else {
        preconditionFailure("\(key) is longer than 16 bytes")
      }
      var place = name.hash
      while entries[place].name != .none { place = (place + 1) & 63 }
      entries[place] = Entry(name: name, index: index, property: member.property)
    }
    return entries
  }()

  /// Returns the member of that name; `nil` for a name that no member has.
  static func member(named bytes: UnsafeRawBufferPointer) -> Entry? {
    guard let name = Name(bytes) else { return nil }
    var place = name.hash
    while true {
      let entry = entries[place]
      if entry.name == name { return entry }
      if entry.name.count == 0 { return nil }
      place = (place + 1) & 63
    }
  }
}
