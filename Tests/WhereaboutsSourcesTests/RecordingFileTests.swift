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
    """
    2024-05-14T08:20:00Z\t*\t{"_type":"location","lat":1,"lon":2,"tst":1715674800,"vel":9e8,"acc":9e8,"alt":1,"vac":9e8}
    """,
    """
    {"locations":[{"type":"Feature","geometry":{"type":"Point","coordinates":[2,1]},"properties":{"altitude":1,
    "timestamp":"2024-05-14T08:20:00Z","speed":9e8,"horizontal_accuracy":9e8,"vertical_accuracy":9e8}}]}
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

  /// A power cut leaves zeros in a Recorder's file, and a full disk leaves a part of a long message.
  @Test(
    arguments: [("\0", 9_000, "", 2), ("\0", 4_050, "\n", 3), ("x", 9_000, "\n", 3), ("\0", 70_000, "\n", 3)]
      as [(String, Int, String, Int)])
  func recordsAreReadAfterALongDamagedBeginning(
    _ text: String, _ length: Int, _ end: String, _ count: Int
  ) async throws {
    let beginning = String(repeating: text, count: length) + end
    let records = (12...14).map {
      "2024-05-14T08:20:\($0)Z\t*  \t{\"_type\":\"location\",\"lat\":1,\"lon\":2,\"tst\":17156748\($0)}\n"
    }
    try await withFile(beginning + records.joined()) { path in
      var file = try RecordingFile(path: path)
      var elements: [RecordingElement] = [], fixes = 0
      while try file.read(into: &elements) {
        for case .fix in elements { fixes += 1 }
      }
      #expect(file.format == .ownTracks && fixes == count && file.problems.total == 1)
    }
    try await withFile(beginning + "hello\nworld\n") { path in
      var file = try RecordingFile(path: path), elements: [RecordingElement] = []
      let isRead = (try? file.read(into: &elements)) != nil
      #expect(!isRead)
    }
  }

  private static func sentence(_ body: String) -> String {
    let sum = String(body.utf8.reduce(0, ^), radix: 16, uppercase: true)
    return "$\(body)*\(sum.count < 2 ? "0" : "")\(sum)\r\n"
  }

  private static func gga(_ time: String) -> String {
    sentence("GPGGA,\(time),4717.11437,N,00833.91522,E,1,08,1.01,499.6,M,48.0,M,,")
  }

  private static func rmc(_ time: String, _ date: String) -> String {
    sentence("GPRMC,\(time),A,4717.11437,N,00833.91522,E,0.004,,\(date),,,A")
  }

  static let undatedOpenings: [(sentences: [String], hours: [String?])] = [
    (
      [gga("120000"), gga("120001"), rmc("120002", "010624"), gga("120003")],
      ["2024-06-01T12", "2024-06-01T12", "2024-06-01T12", "2024-06-01T12"]
    ),
    (
      [gga("235958"), gga("000000"), rmc("000001", "020624")],
      ["2024-06-01T23", "2024-06-02T00", "2024-06-02T00"]
    ),
    ([gga("120000"), gga("120001")], [nil, nil]),
  ]

  /// The first fixes were lost for imports and tracks where the date follows them.
  @Test(arguments: undatedOpenings)
  func dateStatedLaterAppliesToTheFirstFixes(sentences: [String], hours: [String?]) async throws {
    try await withFile(sentences.joined()) { path in
      var file = try RecordingFile(path: path)
      var elements: [RecordingElement] = [], fixes: [Fix] = []
      while try file.read(into: &elements) {
        for case .fix(let fix) in elements { fixes.append(fix) }
      }
      let found = fixes.map { fix in fix.time.map { String($0.iso8601.prefix(13)) } }
      #expect(found == hours)
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
