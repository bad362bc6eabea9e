import WhereaboutsEngine
import WhereaboutsFormats
import Foundation
import Testing
import Whereabouts
import WhereaboutsJournal
import WhereaboutsSources
import WhereaboutsTesting

@Suite struct JournalFileTests {
  let clock = StepClock(wall: UTCTime(nanosecondsSince1970: 1_717_243_200_000_000_000))
  let source = ScriptedSource()

  private func withPath(_ body: (String) async throws -> Void) async throws {
    let url = FileManager.default.temporaryDirectory.appending(
      path: "whereabouts-\(UUID().uuidString).journal")
    defer { try? FileManager.default.removeItem(at: url) }
    try await body(url.path)
  }

  private static func lines(of path: String) throws -> [JournalDecoder.Line] {
    var reader = try JournalReader(path: path)
    var all: [JournalDecoder.Line] = [], lines: [JournalDecoder.Line] = []
    while try reader.read(into: &lines) { all += lines }
    #expect(reader.problems.total == 0)
    return all
  }

  private static func fix(_ accuracy: Double) -> Fix {
    .test(latitude: 47, longitude: 8, accuracy: accuracy, time: nil)
  }

  /// A manager asked once, a fix, a timeout.
  private func run(journal: any InputJournal) async {
    let manager = LocationManager(source: source, clock: clock.managerClock, journal: journal)
    let request = manager.request(.house, timeout: .seconds(10))
    _ = await source.demand { $0 != .off }
    await source.emit(Self.fix(60))
    #expect(await clock.nextDeadline().offset == .seconds(10))
    await clock.advance(by: .seconds(10))
    #expect(await request.answer?.fix == Self.fix(60))
    await manager.waitUntilProcessed()
  }

  @Test func managerJournalReplaysToTheSameEffects() async throws {
    try await withPath { path in
      await run(journal: try JournalFile(path: path))
      let lines = try Self.lines(of: path)
      guard case .header(let header)? = lines.first?.content else {
        Issue.record("no header")
        return
      }
      #expect(header.began == UTCTime(nanosecondsSince1970: 1_717_243_200_000_000_000))
      var player = JournalPlayer(header)
      var effects: [Effect] = [], all: [Effect] = []
      for case .entry(let entry) in lines.dropFirst().map(\.content) {
        #expect(try player.play(entry, into: &effects))
        all += effects
      }
      #expect(player.entryCount >= 3 && player.now?.instant == Instant(.seconds(10)))
      #expect(
        all.contains {
          if case .finish(_, .timedOut(let best)) = $0 { best?.fix == Self.fix(60) } else { false }
        })
    }
  }

  @Test func journalIsReadableByItsOwnerOnly() async throws {
    try await withPath { path in
      _ = try JournalFile(path: path)
      let attributes = try FileManager.default.attributesOfItem(atPath: path)
      #expect(attributes[.posixPermissions] as? Int == 0o600)
    }
  }

  @Test func existingFileIsNotReplacedByDefault() async throws {
    try await withPath { path in
      try Data("mine\n".utf8).write(to: URL(filePath: path))
      #expect(throws: SourceProblem.self) { try JournalFile(path: path) }
      #expect(try String(contentsOfFile: path, encoding: .utf8) == "mine\n")
      var file = try JournalFile(path: path, replacing: true)
      try file.begin(JournalHeader(settings: EngineSettings(), began: nil))
      #expect(try Self.lines(of: path).count == 1)
      let attributes = try FileManager.default.attributesOfItem(atPath: path)
      #expect(attributes[.posixPermissions] as? Int == 0o600, "even where the old one was open to all")
    }
  }

  @Test func entryIsReadableOnceWritten() async throws {
    try await withPath { path in
      var file = try JournalFile(path: path)
      try file.begin(JournalHeader(settings: EngineSettings(), began: nil))
      for second in 1...5 {
        try file.write(.wake, at: Moment(instant: Instant(.seconds(second)), wall: nil), effects: [])
        #expect(try Self.lines(of: path).count == 1 + second)
      }
    }
  }

  @Test func journalOfANewerVersionIsRefused() async throws {
    try await withPath { path in
      let text = #"{"whereabouts":"journal","version":99,"settings":{}}"# + "\n"
      try Data(text.utf8).write(to: URL(filePath: path))
      let problem = #expect(throws: SourceProblem.self) { try Self.lines(of: path) }
      #expect(
        problem?.message.hasSuffix("it is a journal of version 99, and this program knows up to 1") == true)
    }
  }

  #if os(Linux)
    @Test func fullDiskStopsOnlyTheJournal() async throws {
      let manager = LocationManager(
        source: source, clock: clock.managerClock,
        journal: try JournalFile(path: "/dev/full", replacing: true))
      let decisions = manager.decisions()
      let request = manager.request(.house, timeout: .seconds(10))
      _ = await source.demand { $0 != .off }
      await source.emit(Self.fix(60))
      await source.emit(Self.fix(5))
      #expect(await request.answer?.fix == Self.fix(5))
      let stopped = Task {
        var problems: [SourceProblem] = []
        for await entry in decisions {
          if case .journalStopped(let problem) = entry.decision { problems.append(problem) }
          if case .requestEnded = entry.decision { break }
        }
        return problems
      }
      let problems = await stopped.value
      #expect(problems.map(\.code) == [.unwritable], "the problem is reported once")
      #expect(problems.first?.message == "write /dev/full: no space left on device")
    }
  #endif
}
