import Foundation
import WhereaboutsModel
import WhereaboutsFormats

/// A recording, by what it is of.
struct Recording {
  let name: String
  /// `drive`, `walk`, `still`; a real one by its kind.
  let group: String
  let fixes: [Fix]

  var seconds: Double {
    guard let first = fixes.first?.time, let last = fixes.last?.time else { return 0 }
    return last.seconds(since: first)
  }
}

/// The error for missing recordings.
struct MissingRecordingsError: Error, CustomStringConvertible {
  let description: String
}

extension Recording {
  /// The groups that are looked at, by how the names of their recordings begin.
  static let groups = [
    ("drive", ["drive-", "highway-", "tunnel-", "comma-", "phone-"]),
    ("walk", ["walk-", "run-", "bike-"]),
    ("still", ["still-", "static-"]),
  ]

  /// All that belong to a group, in the folders of real and of made-up recordings.
  static func all(in folder: URL) throws -> [Recording] {
    var recordings: [Recording] = []
    for part in ["truth", "synth"] {
      let place = folder.appendingPathComponent(part)
      let names = (try? FileManager.default.contentsOfDirectory(atPath: place.path)) ?? []
      for name in names.sorted() where name.hasSuffix(".csv") && !name.hasSuffix(".truth.csv") {
        guard let group = groups.first(where: { $0.1.contains(where: name.hasPrefix) })?.0 else { continue }
        var decoder = CSVDecoder()
        let bytes = [UInt8](try Data(contentsOf: place.appendingPathComponent(name)))
        let fixes = decoder.decodeAll(bytes).elements.compactMap { element in
          if case .fix(let fix) = element, fix.time != nil { fix } else { nil }
        }
        recordings.append(Recording(name: "\(part)/\(name.dropLast(4))", group: group, fixes: fixes))
      }
    }
    guard !recordings.isEmpty else {
      throw MissingRecordingsError(
        description: "there are no recordings in \(folder.path); WHEREABOUTS_DATA says where the data is")
    }
    return recordings
  }
}
