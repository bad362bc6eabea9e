import ArgumentParser
import WhereaboutsFormats
import WhereaboutsOperations
import WhereaboutsReports

/// A readable recording format as typed.
struct InputFormat: ListedArgument, Hashable, Sendable {
  var format: RecordingFormat

  init?(argument: String) {
    guard let format = RecordingFormat(rawValue: argument), RecordingFormat.readable.contains(format) else {
      return nil
    }
    self.format = format
  }

  static var allValueStrings: [String] { RecordingFormat.readable.map(\.rawValue) }
}

/// A writable recording format, as typed or inferred from a file name.
struct OutputFormat: ListedArgument, Hashable, Sendable {
  var format: RecordingFormat
  /// The GPX version, used only if the format is GPX.
  var gpxVersion = GPXWriter.Version.v1_1

  /// The argument for GPX 1.0.
  private static let gpx10Name = "gpx1.0"

  init?(argument: String) {
    guard argument != Self.gpx10Name else {
      format = .gpx
      gpxVersion = .v1_0
      return
    }
    guard let format = RecordingFormat(rawValue: argument), RecordingFormat.writable.contains(format) else {
      return nil
    }
    self.format = format
  }

  /// Infers the format from a file name. Standard output and devices use JSON lines.
  init(forPath path: String?) throws(CommandError) {
    guard let path, path != "-", !path.hasPrefix("/dev/") else {
      format = .jsonLines
      return
    }
    let name = path.split(separator: "/").last ?? ""
    let ending = name.contains(".") ? name.split(separator: ".").last.map(String.init) ?? "" : ""
    guard let format = RecordingFormat(fileExtension: ending), RecordingFormat.writable.contains(format)
    else {
      let names = Self.allValueStrings.joined(separator: ", ")
      throw CommandError(
        "could not determine the format of \(path) from its name. Pass --to with one of \(names).",
        code: .usage)
    }
    self.format = format
  }

  /// Returns a writer at the beginning of a recording.
  func makeWriter() throws(CommandError) -> any RecordingWriter {
    if format == .gpx { return GPXWriter(version: gpxVersion) }
    guard let writer = format.makeWriter() else {
      throw CommandError("could not write \(format.title)", code: .usage)
    }
    return writer
  }

  static var allValueStrings: [String] { RecordingFormat.writable.map(\.rawValue) + [gpx10Name] }
}
