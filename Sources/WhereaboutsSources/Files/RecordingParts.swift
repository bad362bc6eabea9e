import WhereaboutsModel
import WhereaboutsFormats

/// The recordings in an archive, or the one that a file is.
struct RecordingParts {
  /// An entry that is not read, with the reason.
  struct Skipped {
    let name: String
    let damage: ByteDamage?
    /// Whether it is an archive of a kind that is not read, and not damaged.
    var isOtherArchive = false
  }

  /// An archive whose entries are read.
  private struct Level {
    /// The folder of Dawarich's archive with the attached files.
    static let attachments = "files/"

    let archive: ZipArchive
    var entries: ArraySlice<ZipArchive.Entry>
    /// The names of the archives within which it is, each with a slash after it.
    let prefix: String
    /// Whether the bytes of its entries are bytes of the file.
    let isInFile: Bool
    let budget: InflationBudget?
    /// Whether it is the archive of a user's data of Dawarich. Its folder `files` has the files from which the points
    /// were imported: they would count twice, with times of another resolution.
    let isOfDawarich: Bool

    init(_ archive: ZipArchive, prefix: String = "", isInFile: Bool = true, budget: InflationBudget? = nil) {
      self.archive = archive
      self.prefix = prefix
      self.isInFile = isInFile
      self.budget = budget
      // A KMZ has its document under this name; the other files in it belong to the document. Any other archive may
      // hold a KML file beside other recordings.
      let document = archive.entries.first { $0.name.lowercased() == "doc.kml" }
      let names = Set(archive.entries.map(\.name))
      // Other programs' archives have a `data.json` and files, too.
      let hasOnlyData =
        names.contains("data.json")
        && names.allSatisfy { name in
          name == "data.json" || ["import_", "export_"].contains { name.hasPrefix(Self.attachments + $0) }
        }
      isOfDawarich = hasOnlyData || names.isSuperset(of: ["manifest.json", "settings.jsonl"])
      entries = document.map { [$0] } ?? archive.entries[...]
    }
  }

  /// The greatest number of archives of which each is within the one before: the file, and two more.
  private static let maxLevels = 3

  private let file: ByteFile
  /// The archive that the file is, and those within it, the innermost last.
  private var levels: [Level]
  private let isArchive: Bool
  private var isFileRead = false
  /// The bytes of the entries before the present one, as compressed in the file.
  private var consumedBefore = 0
  /// Whether the present entry is read from the file, and not from an archive in memory.
  private var isPresentInFile = false
  private(set) var present: ByteFile?
  /// The name of the present entry, after those of the archives that it is in; `nil` outside of archives.
  private(set) var partName: String?
  /// The name of the present entry in its own archive; `nil` outside of archives.
  private(set) var entryName: String?

  init(_ input: InputFile) {
    file = input.file
    isArchive = input.archive != nil
    levels = input.archive.map { [Level($0)] } ?? []
  }

  /// The number of bytes read so far, as compressed.
  var consumed: Int { isArchive ? consumedBefore + presentConsumed : file.consumed }

  private var presentConsumed: Int { isPresentInFile ? present?.consumed ?? 0 : 0 }

  /// Opens the next recording; `nil` after the last.
  ///
  /// - Parameters:
  ///   - isFormatGiven: whether entries of an unknown format are read, too.
  ///   - skip: called with each entry that is none.
  /// - Throws: a `SourceProblem` if a file outside of archives can't be read.
  mutating func next(
    isFormatGiven: Bool, _ skip: (Skipped) -> Void
  ) throws(SourceProblem) -> ByteFile? {
    guard isArchive else {
      guard !isFileRead else { return nil }
      isFileRead = true
      present = file
      return file
    }
    while let level = levels.last {
      consumedBefore += presentConsumed
      present = nil
      guard let entry = levels[levels.count - 1].entries.popFirst() else {
        levels.removeLast()
        continue
      }
      let name = level.prefix + entry.name
      (partName, entryName) = (name, entry.name)
      guard entry.size > 0 else { continue }
      if level.isOfDawarich, entry.name.hasPrefix(Level.attachments) {
        skip(Skipped(name: name, damage: nil))
        continue
      }
      do throws(SourceProblem) {
        let part = try ByteFile(
          try level.archive.source(of: entry), name: "\(entry.name) in \(level.archive.name)",
          size: Int(entry.size), budget: level.budget)
        let opening = try part.peek(RecordingFormat.detectionLength)
        let format = try part.detectFormat()
        let isOther =
          format == nil
          ? !isFormatGiven : RecordingFormat.advice(for: opening, detectedAs: format) != nil
        if ZipArchive.isArchive(opening) {
          try openArchive(entry, part, in: level)
        } else if let advice = RecordingFormat.archiveAdvice(for: opening) {
          skip(
            Skipped(
              name: name, damage: ByteDamage(kind: .malformed, rule: advice), isOtherArchive: true))
        } else if isOther {
          skip(Skipped(name: name, damage: part.damage))
        } else {
          present = part
          isPresentInFile = level.isInFile
          return part
        }
      } catch {
        skip(Skipped(name: name, damage: ByteDamage(kind: .malformed, rule: error.rule)))
      }
    }
    (partName, entryName) = (nil, nil)
    return nil
  }

  /// Opens an archive within an archive; its entries are next.
  ///
  /// - Throws: a `SourceProblem` if it can't be read, or is within too many.
  private mutating func openArchive(
    _ entry: ZipArchive.Entry, _ part: ByteFile, in level: Level
  ) throws(SourceProblem) {
    guard levels.count < Self.maxLevels else {
      throw SourceProblem(
        .unreadable,
        message:
          "read \(part.name): an archive more than two deep within an archive is not read; unpack it first")
    }
    let archive = try level.archive.archive(in: entry, part)
    let isInFile = level.isInFile && archive.isInFile
    // The bytes of an archive in memory have all been read.
    if level.isInFile, !isInFile { consumedBefore += Int(entry.compressedSize) }
    levels.append(
      Level(
        archive, prefix: "\(level.prefix)\(entry.name)/", isInFile: isInFile,
        budget: level.budget ?? InflationBudget(size: entry.compressedSize)))
  }
}

extension SourceProblem {
  /// The message without the name of the file, which the place of a problem has already.
  var rule: String {
    message.firstRange(of: ": ").map { String(message[$0.upperBound...]) } ?? message
  }
}
