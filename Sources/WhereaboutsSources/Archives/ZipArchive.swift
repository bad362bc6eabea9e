import SystemPackage
import WhereaboutsModel

/// The entries of a zip archive in a file that can be sought. Nothing is ever written under their names.
///
/// - Source: PKWARE's APPNOTE, with the 64-bit extensions.
final class ZipArchive {
  /// A file in an archive.
  struct Entry {
    let name: String
    let method: UInt16
    let isEncrypted: Bool
    let checksum: UInt32
    let compressedSize: Int64
    let size: Int64
    /// The offset of the local header.
    let offset: Int64
  }

  /// The entries, in the order of the directory, without folders.
  let entries: [Entry]
  private let descriptor: FileDescriptor
  private let name: String
  /// The holder of the descriptor.
  private let owner: AnyObject

  /// The most entries of an archive.
  private static let maxEntries = 200_000
  private static let maxDirectorySize: Int64 = 64 << 20

  /// Returns whether bytes begin as an archive does.
  static func isArchive(_ opening: UnsafeRawBufferPointer) -> Bool {
    opening.starts(with: [0x50, 0x4B, 3, 4]) || opening.starts(with: [0x50, 0x4B, 5, 6])
  }

  /// Reads the directory of an archive.
  ///
  /// - Throws: a `SourceProblem` for a damaged archive, and for one that is not genuine: with names that lead out of
  ///   it, or with entries that share their bytes.
  init(_ descriptor: FileDescriptor, size: Int64, name: String, owner: AnyObject) throws(SourceProblem) {
    self.descriptor = descriptor
    self.name = name
    self.owner = owner
    let reader = ZipReader(descriptor, name: name)
    let directory = try reader.directory(size: size)
    guard directory.count <= Self.maxEntries, directory.size <= Self.maxDirectorySize else {
      throw reader.problem("it has too many entries")
    }
    let bytes = try reader.read(at: directory.offset, count: Int(directory.size))
    var entries: [Entry] = []
    var position = 0
    for _ in 0..<directory.count {
      let (entry, length) = try reader.entry(bytes, at: position)
      position += length
      if entry.name.hasSuffix("/"), entry.size == 0 { continue }
      guard Self.isSafe(entry.name) else {
        throw reader.problem("the name of an entry, '\(entry.name.prefix(100))', leads out of the archive")
      }
      entries.append(entry)
    }
    try Self.checkOverlap(entries, end: directory.offset, reader)
    self.entries = entries
  }

  /// Returns whether a name is one of a file within the archive.
  private static func isSafe(_ name: String) -> Bool {
    guard !name.isEmpty, !name.contains("\0"), !name.hasPrefix("/"), !name.hasPrefix("\\") else {
      return false
    }
    let second = name.dropFirst().first
    if second == ":", name.first?.isLetter == true { return false }
    return !name.split(whereSeparator: { $0 == "/" || $0 == "\\" }).contains("..")
  }

  /// Entries that share bytes are the way to make a small archive huge.
  private static func checkOverlap(_ entries: [Entry], end: Int64, _ reader: ZipReader) throws(SourceProblem)
  {
    var last: Int64 = 0
    for entry in entries.sorted(by: { $0.offset < $1.offset }) {
      let (next, overflow) = entry.offset.addingReportingOverflow(entry.compressedSize)
      guard entry.offset >= last, entry.compressedSize >= 0, entry.size >= 0, !overflow, next <= end else {
        throw reader.problem("its entries overlap or lie outside of it; the archive is not genuine")
      }
      last = next
    }
  }

  /// Returns the bytes of an entry.
  ///
  /// - Throws: a `SourceProblem` for an entry that can't be read.
  func source(of entry: Entry) throws(SourceProblem) -> any ByteSource {
    let label = "\(entry.name) in \(name)"
    guard !entry.isEncrypted else {
      throw SourceProblem(.unreadable, message: "read \(label): it is encrypted")
    }
    let reader = ZipReader(descriptor, name: name)
    let start = try reader.dataOffset(of: entry)
    let section = SectionSource(descriptor, start..<start + entry.compressedSize, name: label)
    let base: any ByteSource
    switch entry.method {
    case 0: base = section
    case 8: base = try InflatingSource(section, .raw, name: label)
    default:
      throw SourceProblem(
        .unreadable,
        message: "read \(label): it is compressed with method \(entry.method), which is not supported")
    }
    return CheckedSource(base, size: Int(entry.size), checksum: entry.checksum, name: label)
  }
}
