import ArgumentParser
import WhereaboutsFormats

/// A format that can be read, as typed.
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

/// A format that can be written, as typed or as the name of a file says.
struct OutputFormat: ListedArgument, Hashable, Sendable {
  var format: RecordingFormat
  /// The version of GPX, where that is the format.
  var gpxVersion = GPXWriter.Version.v1_1

  /// GPX 1.0 as typed.
  private static let oldGPX = "gpx1.0"

  init?(argument: String) {
    guard argument != Self.oldGPX else {
      format = .gpx
      gpxVersion = .v1_0
      return
    }
    guard let format = RecordingFormat(rawValue: argument), RecordingFormat.writable.contains(format) else {
      return nil
    }
    self.format = format
  }

  /// The format that a file of that name should have; JSON lines for standard output and for devices.
  init(forPath path: String?) throws(CommandFailure) {
    guard let path, path != "-", !path.hasPrefix("/dev/") else {
      format = .jsonLines
      return
    }
    let name = path.split(separator: "/").last ?? ""
    let ending = name.contains(".") ? name.split(separator: ".").last.map(String.init) ?? "" : ""
    guard let format = RecordingFormat(fileExtension: ending), RecordingFormat.writable.contains(format)
    else {
      let names = Self.allValueStrings.joined(separator: ", ")
      throw CommandFailure(
        "could not tell from its name how to write \(path); --to says it: \(names)", code: .usage)
    }
    self.format = format
  }

  /// A writer at the beginning of a recording.
  func makeWriter() throws(CommandFailure) -> any RecordingWriter {
    if format == .gpx { return GPXWriter(version: gpxVersion) }
    guard let writer = format.makeWriter() else {
      throw CommandFailure("could not write \(format.title)", code: .usage)
    }
    return writer
  }

  static var allValueStrings: [String] { RecordingFormat.writable.map(\.rawValue) + [oldGPX] }
}

extension RecordingFormat {
  /// What people call it.
  var title: String {
    switch self {
    case .nmea: "NMEA 0183"
    case .gpx: "GPX"
    case .csv: "CSV"
    case .jsonLines: "JSON lines"
    case .geoJSON: "GeoJSON"
    }
  }
}
