import Foundation
import WhereaboutsModel
import WhereaboutsFormats

/// A recording whose way is known.
struct Recording {
  /// A, B, C, G, S …, as the table of references has it.
  let kind: String
  /// The kind of a synthetic recording (`walk`, `still` …); `nil` for a real one.
  let profile: String?
  /// Metres; 0 at rest.
  let reference: Double
  /// Seconds.
  let span: Double
  let fixes: [Fix]
}

/// The error for missing recordings.
struct MissingRecordingsError: Error, CustomStringConvertible {
  let description: String
}

extension Recording {
  /// All of a folder's subfolders that have a `reference.tsv`.
  static func all(in folder: URL) throws -> [Recording] {
    let subfolders = try? FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    let tables = (subfolders ?? []).map { folder.appendingPathComponent($0) }
      .filter { FileManager.default.fileExists(atPath: $0.appendingPathComponent("reference.tsv").path) }
    guard !tables.isEmpty else {
      throw MissingRecordingsError(
        description:
          "no folder in \(folder.path) has a reference.tsv; WHEREABOUTS_DATA says where the data is")
    }
    return try tables.flatMap(read)
  }

  private static func read(_ folder: URL) throws -> [Recording] {
    let table = try String(contentsOf: folder.appendingPathComponent("reference.tsv"), encoding: .utf8)
    return try table.split(separator: "\n").dropFirst().map { line in
      let row = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      guard row.count >= 6, let reference = Double(row[2]), let span = Double(row[4]) else {
        throw MissingRecordingsError(
          description: "\(folder.path)/reference.tsv has a row that can't be read: \(line)")
      }
      let bytes = [UInt8](try Data(contentsOf: folder.appendingPathComponent(row[0] + ".csv")))
      var decoder = CSVDecoder()
      let fixes = decoder.decodeAll(bytes).elements.compactMap { element in
        if case .fix(let fix) = element { fix } else { nil }
      }
      let words = row[5].split(separator: " ").map(String.init)
      let profile = words.first == "synthetic" ? words.last : nil
      return Recording(kind: row[1], profile: profile, reference: reference, span: span, fixes: fixes)
    }
  }
}
