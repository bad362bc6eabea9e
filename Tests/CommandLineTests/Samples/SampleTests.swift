import Foundation
import Testing

/// The recordings in `Samples/` are made here. With `RECORD=1` in the environment they are rewritten, and the test
/// fails, to prevent accidental recordings: see `Scripts/make-samples`.
@Suite struct SampleTests {
  static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().appending(
      path: "Samples")

  @Test func driveMatchesGenerator() throws {
    try check(SampleDrive.nmea(), "city-drive.nmea")
  }

  @Test func walkMatchesGenerator() throws {
    try check(SampleWalk.gpx(), "meridian-walk.gpx")
  }

  @Test func sailMatchesGenerator() throws {
    try check(SampleSail.nmea(), "equator-sail.nmea")
  }

  @Test func placesMatchGenerator() throws {
    try check(SampleFences.geoJSON(), "places.geojson")
  }

  private func check(_ bytes: [UInt8], _ name: String) throws {
    let file = Self.folder.appending(path: name)
    if ProcessInfo.processInfo.environment["RECORD"] == "1" {
      try Data(bytes).write(to: file)
      Issue.record("\(name) was written anew, \(bytes.count) bytes")
      return
    }
    #expect(try Data(contentsOf: file) == Data(bytes), "\(name) differs: Scripts/make-samples writes it anew")
    #expect(bytes.count < 300_000)
  }
}
