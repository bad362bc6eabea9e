import Foundation
import Testing
import Whereabouts
import WhereaboutsFormats
import WhereaboutsModel
import WhereaboutsSources

@Suite struct RecordingFileTests {
  private func withFile(_ text: String, _ body: (String) async throws -> Void) async throws {
    let url = FileManager.default.temporaryDirectory.appending(path: "whereabouts-\(UUID().uuidString)")
    try Data(text.utf8).write(to: url)
    defer { try? FileManager.default.removeItem(at: url) }
    try await body(url.path)
  }

  private static let track = """
    time,lat,lon,hacc
    2024-06-01T12:00:00Z,47,8,80
    2024-06-01T12:00:05Z,north,8,20
    2024-06-01T12:00:09Z,47.0001,8,12

    """

  @Test func formatIsDetectedAndAMalformedRowLosesOnlyItself() async throws {
    try await withFile(Self.track) { path in
      var file = try RecordingFile(path: path)
      var elements: [RecordingElement] = [], fixes = 0
      while try file.read(into: &elements) {
        for case .fix in elements { fixes += 1 }
      }
      #expect(file.format == .csv)
      #expect(fixes == 2)
      #expect(file.problems.samples.map(\.line) == [3])
      #expect(file.bytesRead == file.size)
    }
  }

  /// An impossible number is absent in every format, counted, and its fix stays.
  @Test(arguments: [
    "time,lat,lon,speed,hacc,vacc\n2024-06-01T12:00:00Z,47,8,1e300,1e300,1e300\n",
    """
    {"locations":[{"latitudeE7":1,"longitudeE7":2,"timestampMs":"1614834367089","velocity":1e300,"accuracy":1e300,
    "verticalAccuracy":1e300}]}
    """,
  ]) func impossibleValuesAreAbsentAndCounted(text: String) async throws {
    try await withFile(text) { path in
      var file = try RecordingFile(path: path)
      var elements: [RecordingElement] = [], fixes: [Fix] = []
      while try file.read(into: &elements) {
        for case .fix(let fix) in elements { fixes.append(fix) }
      }
      let fix = try #require(fixes.first)
      #expect(fix.speed == nil && fix.horizontalAccuracy == nil && fix.verticalAccuracy == nil)
      #expect(
        file.skippedElements.counts.map(\.name)
          == ["impossible speeds", "impossible accuracies", "impossible vertical accuracies"])
    }
  }

  @Test func recordingFileIsASource() async throws {
    try await withFile(Self.track) { path in
      let source = ReplaySource(path: path, speed: .asFastAsPossible)
      let manager = LocationManager(source: source)
      #expect(await manager.request(.house, timeout: .seconds(30)).answer?.fix.horizontalAccuracy == 12)
    }
  }

  @Test func unreadableFileIsReportedByName() async throws {
    #expect(throws: SourceProblem.self) { try RecordingFile(path: "/nowhere/at/all.gpx") }
    try await withFile("") { path in
      let source = ReplaySource(path: path, speed: .asFastAsPossible)
      let manager = LocationManager(source: source)
      guard case .sourceFailed(let problem, nil) = await manager.request(.house, timeout: nil).outcome else {
        Issue.record("an empty file is no source")
        return
      }
      #expect(problem.code == .unreadable)
      #expect(problem.message.hasSuffix("it is empty"))
    }
  }
}
