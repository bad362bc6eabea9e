import WhereaboutsModel
import WhereaboutsFormats

/// The recordings in an archive, or the one that a file is.
struct RecordingParts {
  /// An entry that is not read, with the reason.
  struct Skipped {
    let name: String
    let damage: ByteDamage?
  }

  private let file: ByteFile
  private let archive: ZipArchive?
  private var entries: ArraySlice<ZipArchive.Entry>
  private var isFileRead = false
  /// The bytes of the entries before the present one, as compressed.
  private var consumedBefore = 0
  private(set) var present: ByteFile?
  /// The name of the present entry; `nil` outside of archives.
  private(set) var partName: String?

  init(_ input: InputFile) {
    file = input.file
    archive = input.archive
    let all = input.archive?.entries ?? []
    // A KMZ has its document under this name; the other files in it belong to the document. Any other archive may
    // hold a KML file beside other recordings.
    let document = all.first { $0.name.lowercased() == "doc.kml" }
    entries = document.map { [$0] } ?? all[...]
  }

  /// The number of bytes read so far, as compressed.
  var consumed: Int { archive == nil ? file.consumed : consumedBefore + (present?.consumed ?? 0) }

  /// Opens the next recording; `nil` after the last.
  ///
  /// - Parameter skip: called with each entry that is none.
  /// - Throws: a `SourceProblem` if a file outside of archives can't be read.
  mutating func next(_ skip: (Skipped) -> Void) throws(SourceProblem) -> ByteFile? {
    guard let archive else {
      guard !isFileRead else { return nil }
      isFileRead = true
      present = file
      return file
    }
    while let entry = entries.popFirst() {
      consumedBefore += present?.consumed ?? 0
      present = nil
      partName = entry.name
      guard entry.size > 0 else { continue }
      do throws(SourceProblem) {
        let part = try ByteFile(
          try archive.source(of: entry), name: "\(entry.name) in \(file.name)", size: Int(entry.size))
        let opening = try part.peek(RecordingFormat.detectionLength)
        if ZipArchive.isArchive(opening) {
          skip(
            Skipped(
              name: entry.name,
              damage: ByteDamage(
                kind: .malformed, rule: "an archive within an archive is not read; unpack it first")))
        } else if RecordingFormat.detect(opening) == nil || RecordingFormat.advice(for: opening) != nil {
          skip(Skipped(name: entry.name, damage: part.damage))
        } else {
          present = part
          return part
        }
      } catch {
        skip(Skipped(name: entry.name, damage: ByteDamage(kind: .malformed, rule: error.rule)))
      }
    }
    partName = nil
    return nil
  }
}

extension SourceProblem {
  /// The message without the name of the file, which the place of a problem has already.
  var rule: String {
    message.firstRange(of: ": ").map { String(message[$0.upperBound...]) } ?? message
  }
}
