import WhereaboutsModel

/// The entries of a zip archive. Nothing is ever written under their names.
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
  /// The name in messages.
  let name: String
  /// Whether the archive is read from a file in place; otherwise it is in memory.
  var isInFile: Bool { bytes.isInFile }
  private let bytes: ArchiveBytes

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
  init(_ archive: ArchiveBytes, name: String) throws(SourceProblem) {
    bytes = archive
    self.name = name
    let reader = ZipReader(archive, name: name)
    let directory = try reader.directory()
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
    let reader = ZipReader(bytes, name: name)
    let start = try reader.dataOffset(of: entry)
    let section = SectionSource(bytes, start..<start + entry.compressedSize, name: label)
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

  // MARK: Archives within archives

  /// The largest archive within another one that is inflated, in bytes. It is held in memory.
  private static let maxInflatedArchive = 256 << 20

  /// Opens the archive that an entry is: in place if it is stored as it is, else in memory.
  ///
  /// - Parameter file: the bytes of the entry, which are read.
  /// - Throws: a `SourceProblem` for an archive that can't be read, or is too large.
  func archive(in entry: Entry, _ file: ByteFile) throws(SourceProblem) -> ZipArchive {
    if entry.method == 0 {
      let reader = ZipReader(bytes, name: name)
      let start = try reader.dataOffset(of: entry)
      if let section = bytes.section(start..<start + entry.compressedSize), section.size >= 4 {
        let opening = try ZipReader(section, name: file.name).read(at: 0, count: 4)
        if opening.withUnsafeBytes({ Self.isArchive($0) }) {
          return try ZipArchive(section, name: file.name)
        }
      }
    }
    var content: [UInt8] = []
    content.reserveCapacity(Int(min(entry.size, Int64(Self.maxInflatedArchive))))
    while true {
      let chunk = try file.next()
      guard !chunk.isEmpty else { break }
      guard content.count + chunk.count <= Self.maxInflatedArchive else {
        throw SourceProblem(
          .unreadable,
          message:
            "read \(file.name): an archive of more than 256 MiB within another one is read only if it is stored without compression; unpack it first"
        )
      }
      content.append(contentsOf: chunk)
    }
    return try ZipArchive(ArchiveBytes(content), name: file.name)
  }
}
