import Foundation
import Testing
import WhereaboutsEngine
import WhereaboutsModel
import WhereaboutsJournal
import WhereaboutsTesting

@Suite struct JournalTests {
  /// The journal of a minute: a request times out, another is answered, and a subscription receives fixes.
  private static let lines: [String] = {
    let beginning = UTCTime(nanosecondsSince1970: 1_717_243_200_000_000_000)
    var engine = Engine()
    var digester = EffectDigester()
    var lines: [String] = []
    func add(_ write: (inout [UInt8]) -> Void) {
      var bytes: [UInt8] = []
      write(&bytes)
      lines.append(String(decoding: bytes.dropLast(), as: UTF8.self))
    }
    func handle(_ input: Input, at seconds: Double) {
      let now = Moment(
        instant: Instant(.seconds(seconds)), wall: beginning.advanced(by: .seconds(seconds)))
      let digest = digester.digest(engine.handle(input, at: now))
      add { JournalFormat.write(JournalEntry(moment: now, input: input, digest: digest), to: &$0) }
    }
    func fix(_ accuracy: Double, at seconds: Double) -> Input {
      let time = beginning.advanced(by: .seconds(seconds))
      let fix = Fix.test(latitude: 47.123456, longitude: 8.654321, accuracy: accuracy, time: time)
      return .signal(.fix(fix, age: .sinceArrival))
    }
    add { JournalFormat.write(JournalHeader(settings: EngineSettings(), began: beginning), to: &$0) }
    handle(.request(RequestID(1), RequestTerms(level: .house, timeout: .seconds(10))), at: 0)
    handle(.subscribe(SubscriptionID(2), .fixes(FixTerms(level: .block))), at: 0.5)
    for second in 1...9 { handle(fix(40, at: Double(second)), at: Double(second)) }
    handle(fix(40, at: 3), at: 9.5)
    handle(.wake, at: 10)
    handle(.request(RequestID(3), RequestTerms(level: .house, timeout: nil)), at: 20)
    handle(fix(8, at: 21), at: 21)
    handle(.unsubscribe(SubscriptionID(2)), at: 60)
    return lines
  }()

  private static func bytes(_ lines: some Sequence<String>) -> [UInt8] {
    lines.flatMap { Array($0.utf8) + [UInt8(ascii: "\n")] }
  }

  @Test func missingFileLosesNoExplanationOfTheFilesBefore() async throws {
    let folder = try TemporaryFolder()
    let journal = try folder.file("run.journal", Self.bytes(Self.lines))
    for first in [journal, CommandRun.drive] {
      let whole = try await CommandRun(["explain", "--json", first])
      let run = try await CommandRun(["explain", "--json", first, folder.path("missing")])
      #expect(run.code == 1 && run.errors.hasSuffix(": no such file or directory\n"), "\(run.errors)")
      #expect(run.output == whole.output && run.lines.count > 5)
    }
  }

  @Test func journalIsExplained() async throws {
    let folder = try TemporaryFolder()
    let path = try folder.file("run.journal", Self.bytes(Self.lines))
    let run = try await CommandRun(["explain", path])
    #expect(run.code == 0 && run.errors.isEmpty)
    let expected = """
      \(path)  (journal, begun 2024-06-01 12:00:00 UTC; no permission needed)
       0:00:00.000  12:00:00  request 1 added: house (15 m, no older than 15 s), within 10 s
       0:00:00.000  12:00:00  source asked for 15 m: request 1 came
       0:00:00.500  12:00:00  subscription 2 added: fixes for block (100 m, no older than 1 min 00 s)
       0:00:09.500  12:00:09  fix refused: 6 s older than a fix already used
       0:00:10.000  12:00:10  request 1 timed out after 10 s; best 40 m (block), 1 s old
       0:00:10.000  12:00:10  source asked for 100 m: request 1 ended
       0:00:20.000  12:00:20  request 3 added: house (15 m, no older than 15 s)
       0:00:20.000  12:00:20  source asked for 15 m: request 3 came
       0:00:21.000  12:00:21  request 3 answered after 1 s: 8.0 m (house), new
       0:00:21.000  12:00:21  source asked for 100 m: request 3 ended
       0:01:00.000  12:01:00  subscription 2 was cancelled
       0:01:00.000  12:01:00  source off: subscription 2 ended, the last

      16 inputs in 1 min 00 s
      fixes: 11, 10 used; refused: 1 out of order
      requests: 2: 1 reached, 1 timed out
      subscriptions: 1, notified 10 times
      source: on for 1 min 00 s, 1 time

      """
    #expect(run.output == expected)
  }

  @Test func coordinatesArePrintedOnlyOnRequest() async throws {
    let folder = try TemporaryFolder()
    let path = try folder.file("run.journal", Self.bytes(Self.lines))
    for options in [[], ["--json"]] {
      let hidden = try await CommandRun(["explain", path] + options)
      #expect(hidden.code == 0 && !hidden.output.contains("47.1") && !hidden.output.contains("8.65"))
      let shown = try await CommandRun(["explain", "--coordinates", path] + options)
      #expect(shown.code == 0 && shown.output.contains("47.123456") && shown.output.contains("8.654321"))
    }
  }

  @Test func sourceTextCannotImitateCommandOutput() async throws {
    let stated = #"be\u001b[31mred\n 0:00:09.000  12:00:09  forged\u202e\u0085"#
    let lines = [
      #"{"whereabouts":"journal","version":1,"settings":{"authorization":"not needed"}}"#,
      #"{"at":0,"request":1,"level":"house"}"#,
      #"{"at":1,"failed":{"code":"unreadable","message":"\#(stated)"}}"#,
    ]
    let run = try await CommandRun(["explain", "-"], input: Self.bytes(lines))
    #expect(run.code == 0 && run.output.contains("could not be\u{FFFD}[31mred\u{FFFD} 0:00:09.000"))
    #expect(!run.output.unicodeScalars.contains { ["\u{1B}", "\u{202E}", "\u{85}"].contains($0) })
    #expect(!run.lines.contains { $0.hasPrefix(" 0:00:09.000") })
    #expect(run.lines.contains("fixes: none") && run.lines.contains("requests: 1: 1 ended by a failure"))
  }

  @Test func recordingIsExplained() async throws {
    let run = try await CommandRun(["explain", "--timeout", "5s", CommandRun.drive])
    #expect(run.code == 0)
    #expect(
      run.lines.contains { $0.hasPrefix(" 0:00:05.000") && $0.contains("request 1 timed out after 5 s") })
    #expect(run.lines.contains("fixes: 671, all used"))
  }

  @Test func durationOfAnAnswerIsExplained() async throws {
    let run = try await CommandRun(["explain", CommandRun.drive])
    let answer = try #require(run.lines.first { $0.contains("request 1 answered") })
    #expect(answer.contains("after 13 s: 14 m (house), new; 13 fixes before did not meet it, the best "))
    let lines = [
      #"{"whereabouts":"journal","version":1,"settings":{"authorization":"not needed"}}"#,
      #"{"at":0,"request":1,"level":"house"}"#,
      #"{"at":12,"fix":{"time":"2024-06-01T12:00:12.000Z","lat":47.5,"lon":8,"hacc":8,"source":"gpsd"}}"#,
    ]
    let silent = try await CommandRun(["explain", "-"], input: Self.bytes(lines))
    #expect(
      silent.output.contains("request 1 answered after 12 s: 8.0 m (house), new; no fix came before\n"),
      "\(silent.output)")
  }

  @Test func journalReplaysIdenticallyAtAnySpeedAndInParts() async throws {
    let folder = try TemporaryFolder()
    let path = try folder.file("run.journal", Self.bytes(Self.lines))
    let run = try await CommandRun(["replay", path])
    #expect(run.code == 0 && run.errors.isEmpty)
    #expect(run.output == "16 entries, 20 effects: all the same as recorded\n")
    let fast = try await CommandRun(["replay", "--json", path])
    let paced = try await CommandRun(["replay", "--json", "--speed", "200", path])
    #expect(fast.code == 0 && fast.output == paced.output && fast.lines.count == 20)
    #expect(try await CommandRun(["replay", "--json", path]).output == fast.output)
    for cut in [1, 2, 9, Self.lines.count - 1] {
      let parts = [
        try folder.file("part.\(cut).a", Self.bytes(Self.lines[..<cut])),
        try folder.file("part.\(cut).b", Self.bytes(Self.lines[cut...])),
      ]
      let whole = try await CommandRun(["replay", "--json"] + parts)
      #expect(whole.code == 0 && whole.output == fast.output, "cut after line \(cut)")
      let rest = try await CommandRun(["replay", parts[1]])
      #expect(rest.code == 1 && rest.errors.contains("that begins elsewhere"))
    }
  }

  @Test func journalIsDetectedOnStandardInput() async throws {
    let run = try await CommandRun(["replay", "-"], input: Self.bytes(Self.lines))
    #expect(run.code == 0 && run.output.hasSuffix("all the same as recorded\n"))
  }

  @Test func tornLastLineIsAccepted() async throws {
    let torn = Array(Self.bytes(Self.lines).dropLast(12))
    let run = try await CommandRun(["replay", "-"], input: torn)
    #expect(run.code == 0 && run.lines.last == "standard input: the last line is torn and left out")
  }

  @Test func manyInvalidEntriesAreCounted() async throws {
    let run = try await CommandRun(["replay", "-"], input: Self.bytes(Self.lines + Self.lines.dropFirst()))
    #expect(run.code == 1)
    #expect(run.errors.components(separatedBy: " passed over: time goes back").count == 4, "\(run.errors)")
    #expect(run.errors.contains("standard input: 12 more passed over for such reasons\n"), "\(run.errors)")
  }

  @Test func differenceIsReportedWithItsLine() async throws {
    var lines = Self.lines
    try #require(lines.count > 1)
    lines[1] = lines[1].replacing(#""timeout":10"#, with: #""timeout":11"#)
    let run = try await CommandRun(["replay", "-"], input: Self.bytes(lines))
    #expect(run.code == 1 && run.output.contains("not the same as recorded"))
    #expect(run.errors.contains("first at standard input, line 2"))
  }

  @Test func mixingJournalAndRecordingIsRejected() async throws {
    let folder = try TemporaryFolder()
    let path = try folder.file("run.journal", Self.bytes(Self.lines))
    #expect(try await CommandRun(["replay", path, CommandRun.drive]).code == 1)
    #expect(try await CommandRun(["replay", CommandRun.drive, path]).code == 1)
    #expect(try await CommandRun(["replay", "--map", "-", path]).code == 2)
  }
}
