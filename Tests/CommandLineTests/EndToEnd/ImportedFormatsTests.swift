import Foundation
import Testing

/// Recorded tracks beside the package, or where `WHEREABOUTS_DATA` says.
private enum TrackData {
  static let root: String = {
    if let path = ProcessInfo.processInfo.environment["WHEREABOUTS_DATA"] { return path }
    var package = URL(fileURLWithPath: #filePath)
    for _ in 0..<4 { package.deleteLastPathComponent() }
    return package.deletingLastPathComponent().appending(path: "shared/data").path()
  }()
  static let isThere = FileManager.default.fileExists(atPath: root + "/gpx")
}

/// Files that another program wrote from recorded tracks, against the tracks themselves.
@Suite(
  .enabled(
    if: ImportTests.has("gpsbabel") && TrackData.isThere, "needs gpsbabel and ../shared/data"))
struct ImportedFormatsTests {
  private struct Point: Equatable {
    var time: String
    var latitude: Double
    var longitude: Double
    var height: Double?

    /// The points with a time, whole seconds of it, in the order of time.
    static func all(_ lines: [Substring]) throws -> [Point] {
      try lines.compactMap { line in
        let object = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        guard let time = object["time"] as? String else { return nil }
        return Point(
          time: String(time.prefix(19)), latitude: try #require(object["lat"] as? Double),
          longitude: try #require(object["lon"] as? Double),
          height: object["alt"] as? Double ?? object["altHAE"] as? Double)
      }
    }
  }

  /// gpsbabel's name of a format, with the error of places in degrees and of heights in metres that the format allows.
  static let formats: [(name: String, places: Double, heights: Double?)] = [
    ("gtrnctr,course=0", 1e-6, 0.1), ("kml,points=0,lines=0,track=1", 1e-6, nil), ("garmin_fit", 1e-6, 0.3),
    ("igc", 1.0 / 60_000, 1.01), ("geojson", 1e-6, nil),
  ]
  static let tracks = ["garmin-forerunner-10-output", "mtk_logger", "cerknicko-jezero", "globalsat_gh625XT"]

  @Test(arguments: tracks, formats.dropLast()) func samePointsAsTheTrack(
    track: String, format: (name: String, places: Double, heights: Double?)
  ) async throws {
    let folder = try TemporaryFolder()
    let source = "\(TrackData.root)/gpx/\(track).gpx", made = folder.path("made")
    let run = try await CommandRun(
      shell: """
        gpsbabel -t -i gpx -f '\(source)' -o '\(format.name)' -F '\(made)' 2>&1 || exit 3
        whereabouts convert --to jsonl '\(made)'
        """)
    try #require(run.code == 0, "\(run.output)\n\(run.errors)")
    var expected = try Point.all(try await CommandRun(["convert", "--to", "jsonl", source]).lines)
    let read = try Point.all(run.lines)
    // gpsbabel leaves points out of a flight.
    if format.name == "igc" {
      let times = Set(read.map(\.time))
      expected = expected.filter { times.contains($0.time) }
    }
    #expect(read.count == expected.count && read.count > 50, "\(run.errors)")
    for (point, original) in zip(read, expected) {
      let isNear =
        abs(point.latitude - original.latitude) <= format.places
        && abs(point.longitude - original.longitude) <= format.places
      guard point.time == original.time, isNear else {
        Issue.record("\(point) and not \(original)")
        return
      }
      guard let allowed = format.heights, let height = original.height else { continue }
      #expect(abs((point.height ?? -999) - height) <= allowed)
    }
  }
}
