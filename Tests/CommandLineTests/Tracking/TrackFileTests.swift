import Foundation
import ReportTestSupport
import Testing
import WhereaboutsModel
import WhereaboutsFormats
import WhereaboutsGeodesy

@testable import WhereaboutsCLI
@testable import WhereaboutsOperations

@Suite struct TrackFileTests {
  @Test func fileIsWellFormedAfterEachWrite() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("way.gpx")
    let file = try TrackFile(path: path, replacing: false, besides: "")
    let points = SampleTrack.commute.points
    for (index, point) in points.enumerated() {
      try file.add(point)
      guard index % 97 == 0 else { continue }
      try file.flush()
      let read = try Self.read(path)
      #expect(read.fixes.map(\.time) == points[...index].map(\.time) && read.problems.total == 0)
    }
    try file.finish()
    let read = try Self.read(path)
    #expect(read.fixes.count == points.count)
    for (fix, point) in zip(read.fixes, points) {
      #expect(fix.coordinate.distance(to: point.coordinate) < 0.001)
      #expect(fix.time == point.time && fix.speed == (point.speed * 1000).rounded() / 1000)
    }
    #expect(read.elements.count { $0 == .segmentBegan } == points.count { $0.link != .follows })
    #expect(try folder.names == ["way.gpx"])
  }

  @Test func emptyTrackLeavesNoFile() throws {
    let folder = try TemporaryFolder()
    let file = try TrackFile(path: folder.path("way.gpx"), replacing: false, besides: "")
    #expect(try folder.names.count == 1)
    try file.finish()
    #expect(try folder.names == [])
  }

  @Test func existingFileStaysUntilFirstPoint() throws {
    let folder = try TemporaryFolder()
    let path = try folder.file("way.gpx", Array("mine".utf8))
    #expect(throws: CommandError.self) { try TrackFile(path: path, replacing: false, besides: "") }
    #expect(throws: CommandError.self) { try TrackFile(path: path, replacing: true, besides: path) }
    let file = try TrackFile(path: path, replacing: true, besides: "")
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "mine")
    try file.add(try #require(SampleTrack.commute.points.first))
    #expect(try Self.read(path).fixes.count == 1)
  }

  @Test func fileCreatedMeanwhileIsNotReplaced() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("way.gpx")
    let file = try TrackFile(path: path, replacing: false, besides: "")
    _ = try folder.file("way.gpx", Array("theirs".utf8))
    let point = try #require(SampleTrack.commute.points.first)
    #expect(throws: OutputFile.existingFileError(path)) { try file.add(point) }
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "theirs")
  }

  /// Another process makes a store under the name before the first point.
  @Test func databaseCreatedMeanwhileIsNeverReplaced() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("way.gpx"), database = Array("SQLite format 3\0".utf8)
    let file = try TrackFile(path: path, replacing: true, besides: "")
    let output = try OutputFile(path: folder.path("way.csv"), replacing: true)
    output.bytes = [1]
    for name in ["way.gpx", "way.csv"] { _ = try folder.file(name, database) }
    let point = try #require(SampleTrack.commute.points.first)
    let error = OutputFile.existingFileError(path)
    #expect(error.message.contains("SQLite database") && !error.message.contains("--force"))
    #expect(throws: error) { try file.add(point) }
    #expect(throws: OutputFile.existingFileError(folder.path("way.csv"))) { try output.finish() }
    for name in ["way.gpx", "way.csv"] {
      #expect(try Data(contentsOf: URL(filePath: folder.path(name))) == Data(database))
    }
    #expect(try folder.names.filter { $0.hasPrefix("way.csv") } == ["way.csv"])
  }

  /// The last transactions of a database may be in the file beside it alone.
  @Test func partOfADatabaseIsNeverReplaced() throws {
    let folder = try TemporaryFolder()
    _ = try folder.file("store.sqlite", Array("SQLite format 3\0".utf8))
    for end in ["-wal", "-shm", "-journal", "-reserve"] {
      let path = try folder.file("store.sqlite\(end)", [0])
      let error = #expect(throws: CommandError.self) { _ = try OutputFile(path: path, replacing: true) }
      #expect(error?.message.contains("a part of the SQLite database") == true)
      let other = try folder.file("way\(end)", [0])
      #expect(throws: Never.self) { _ = try OutputFile(path: other, replacing: true) }
    }
  }

  private static func read(_ path: String) throws -> RecordingBatch {
    var decoder = GPXDecoder()
    return decoder.decodeAll([UInt8](try Data(contentsOf: URL(filePath: path))))
  }
}
