import Foundation
import Testing
import WhereaboutsModel

@Suite struct ExplainFencesTests {
  private func explain(_ fence: String, _ time: String, _ more: String...) async throws -> CommandRun {
    try await CommandRun(
      ["explain", "--fences", CommandRun.places, "--fence", fence, "--at", time, CommandRun.drive] + more)
  }

  @Test func crossingsAreExplainedWithoutCoordinates() async throws {
    let run = try await CommandRun(["explain", "--fences", CommandRun.places, CommandRun.drive])
    #expect(run.code == 0)
    #expect(run.lines.contains { $0.contains("fence school: entered at 08:17:3") && $0.contains("% sure") })
    #expect(run.lines.contains { $0.contains("% are needed") && $0.contains(" ±") })
    #expect(!run.output.contains("51.48"))
  }

  @Test func lineOfJSONHasEachKeyOnce() async throws {
    let run = try await CommandRun(["explain", "--json", "--fences", CommandRun.places, CommandRun.drive])
    let decisions = run.lines.filter { $0.contains("\"fenceSuspected\"") || $0.contains("\"fenceDet") }
    #expect(run.code == 0 && decisions.count > 3)
    for line in decisions {
      #expect(line.components(separatedBy: "\"at\":").count == 2, "\(line)")
      #expect(line.contains("\"time\":\"2024-05-14T08:"), "\(line)")
    }
  }

  @Test func momentReportsSideDistanceAndNextEvent() async throws {
    let before = try await explain("school", "08:17")
    #expect(try before.code == 0 && before.line(0) == "school at 2024-05-14 08:17:00 UTC")
    #expect(before.output.contains("Side      outside") && before.output.contains("m outside the boundary ±"))
    #expect(before.output.contains("Next      entered at 08:17:3"))
    let inside = try await explain("school", "2024-05-14T08:18:00Z")
    #expect(inside.output.contains("Side      inside since 2024-05-14 08:17:3"))
    #expect(
      inside.output.contains("Before    entered at") && inside.output.contains("Next      left at 08:18:"))
    let json = try await explain("school", "08:18", "--json")
    #expect(json.lines.count == 1 && json.output.contains(#""side":"inside""#))
    #expect(!json.output.contains(#""lat""#))
  }

  @Test func storeWithoutAServerNamesTheCommandsForTheFence() async throws {
    let store = try TestStore()
    let run = try await CommandRun([
      "explain", "--fence", "school", "--at", "08:18", "--store", store.path,
    ])
    #expect(run.code == 2, "\(run.errors)")
    #expect(run.errors.contains("fence export --store \(store.path) fences.geojson"), "\(run.errors)")
    #expect(run.errors.contains("--fences fences.geojson --fence school --at TIME -"), "\(run.errors)")
  }

  @Test func gapInFixesIsReported() async throws {
    let run = try await explain("quay", "08:40")
    #expect(
      run.output.contains("Nobody saw the device then") && run.output.contains("nothing more was decided"))
  }

  @Test func journalIsAccepted() async throws {
    let store = try TestStore()
    _ = try await store.fenceCommand("import", CommandRun.places)
    let journal = store.folder.path("run.journal")
    let watch = try await store.fenceCommand(
      "watch", "--source", "replay:\(CommandRun.drive)?speed=max", "--journal", journal)
    #expect(watch.code == 0)
    let run = try await CommandRun(["explain", "--fence", "school", "--at", "08:18", journal])
    #expect(run.code == 0 && run.errors.isEmpty && run.output.contains("Side      inside since"))
    let replayed = try await CommandRun(["replay", journal])
    #expect(replayed.code == 0 && replayed.output.contains("all the same as recorded"))
  }

  /// Returns the answer about a fence of ``madeUpFences`` in a made-up recording: a fix every five seconds, at a
  /// distance to the north of the centre.
  private func explain(
    _ fence: String, at time: String, _ seconds: [Int] = Array(stride(from: 0, to: 1400, by: 5)),
    _ distance: (Int) -> Double = Self.outAndBack
  ) async throws -> String {
    let folder = try TemporaryFolder()
    let beginning = UTCTime(nanosecondsSince1970: 1_717_228_800_000_000_000)
    let fixes = seconds.map { second in
      let time = beginning.advanced(by: .seconds(second)).iso8601
      let latitude = 47.5 + distance(second) / 111_180
      return #"{"time":"\#(time)","lat":\#(latitude),"lon":8.5,"hacc":8}"#
    }
    let recording = try folder.file("walk.jsonl", Array(fixes.joined(separator: "\n").utf8))
    let fences = try folder.file("fences.geojson", Array(Self.madeUpFences.utf8))
    let run = try await CommandRun(["explain", "--fences", fences, "--fence", fence, "--at", time, recording])
    #expect(run.code == 0, "\(run.errors)")
    return run.output
  }

  /// Leaves a circle of 100 m at 08:06:06, and returns at 08:17:13.
  private static func outAndBack(_ second: Int) -> Double {
    switch second {
    case ..<300: 0
    case ..<500: Double(second - 300) * 1.5
    case ..<900: 300
    case ..<1100: 300 - Double(second - 900) * 1.5
    default: 0
    }
  }

  private static let madeUpFences: String = {
    let terms = [
      "home": "", "once": #","once":true"#, "expire": #","expiry":"2024-06-01T08:12:00Z""#,
      "stay": #","dwell":300"#, "long": #","exitDwell":1200"#, "enter": #","notify":["enter"]"#,
      "week": #","activeHours":"Mo-Fr 08:00-18:00""#, "late": #","activeHours":"Sa 08:10-18:00""#,
    ]
    let features = terms.map { id, terms in
      #"{"type":"Feature","id":"\#(id)","properties":{"radius":100\#(terms)},"#
        + #""geometry":{"type":"Point","coordinates":[8.5,47.5]}}"#
    }
    return #"{"type":"FeatureCollection","features":[\#(features.joined(separator: ","))]}"#
  }()

  @Test func removedFenceHasNoSide() async throws {
    let once = try await explain("once", at: "08:10")
    #expect(
      once.contains("Side      none: the fence was removed at 08:06:15, after its one event\n"), "\(once)")
    #expect(!once.contains("Sure") && !once.contains("Waiting"))
    let over = try await explain("expire", at: "08:20")
    #expect(over.contains("Side      none: the fence expired at 08:12:00\n"), "\(over)")
    let before = try await explain("expire", at: "08:08")
    #expect(before.contains("Side      outside"), "\(before)")
    #expect(before.contains("Next      the fence expired at 08:12:00\n"), "\(before)")
  }

  @Test func pendingStayIsStated() async throws {
    let stay = try await explain("stay", at: "08:02")
    #expect(stay.contains("Waiting   to have stayed inside until 08:05:00\n"), "\(stay)")
    #expect(stay.contains("Next      stayed at 08:05:00"), "\(stay)")
  }

  @Test func pendingDecisionHasItsTime() async throws {
    let home = try await explain("home", at: "08:06:12")
    #expect(home.contains("Waiting   since 08:06:10: it seems to have left, below"), "\(home)")
  }

  @Test func eventDuringSilenceIsNextAndNotBefore() async throws {
    let seconds = Array(stride(from: 0, to: 600, by: 5)) + Array(stride(from: 3600, to: 3700, by: 5))
    let long = try await explain("long", at: "08:15", seconds)
    #expect(long.contains("Side      inside since"), "\(long)")
    #expect(long.contains("Waiting   since 08:06:15: it has left if that lasts until 08:26:06\n"), "\(long)")
    #expect(long.contains("Next      left at 08:06:06") && !long.contains("Before    left"), "\(long)")
    let after = try await explain("long", at: "08:30", seconds)
    #expect(after.contains("Side      outside since"), "\(after)")
    #expect(after.contains("Before    left at 08:06:06"), "\(after)")
  }

  @Test func outcomeOfTheNextSuspicionIsStated() async throws {
    let enter = try await explain("enter", at: "08:05")
    #expect(
      enter.contains("Next      08:06:15, it has left at 08:06:06, an event kind the fence does not report"),
      "\(enter)")
    let hours = try await explain("week", at: "08:05")
    #expect(
      hours.contains("Next      08:06:15, it has left at 08:06:06, outside the active hours\n"), "\(hours)")
  }

  @Test func eventOutsideActiveHoursIsPendingUntilTheDeviceReturns() async throws {
    let away = try await explain("week", at: "08:10")
    #expect(
      away.contains("Waiting   since 08:06:15: it has left at 08:06:06, outside the active hours\n"),
      "\(away)")
    let late = try await explain("late", at: "08:08")
    #expect(
      late.contains("Waiting   since 08:06:15: it has left at 08:06:06, outside the active hours\n"),
      "\(late)")
    #expect(late.contains("Next      left at 08:06:06"), "\(late)")
    let back = try await explain("week", at: "08:20")
    #expect(back.contains("Waiting   for nothing\n"), "\(back)")
    #expect(
      back.contains("Before    08:17:20, it has entered at 08:17:13, outside the active hours\n"), "\(back)")
  }

  @Test func refusedFixIsMarked() async throws {
    let home = try await explain("home", at: "08:03:26", Array(stride(from: 0, to: 400, by: 5))) {
      (200...205).contains($0) ? 5000 : 0
    }
    #expect(home.contains("Last fix  08:03:25") && home.contains("Side      inside"), "\(home)")
    #expect(home.contains("; refused: the device can't have moved 5.00 km in 10 s"), "\(home)")
  }

  @Test func momentBeforeTheFirstFixWaitsForIt() async throws {
    let home = try await explain("home", at: "2024-06-01T07:59:00Z")
    #expect(home.contains("Waiting   for the first fix\n"), "\(home)")
    #expect(try await explain("home", at: "07:59") == home)
  }

  @Test func timeOfDayOutsideTheRecordingIsTheNearest() async throws {
    let seconds = Array(stride(from: 15 * 3600, to: 17 * 3600, by: 600))
    #expect(try await explain("home", at: "22:30", seconds).hasPrefix("home at 2024-06-01 22:30:00 UTC\n"))
    #expect(try await explain("home", at: "00:30", seconds).hasPrefix("home at 2024-06-02 00:30:00 UTC\n"))
    #expect(try await explain("home", at: "01:30", seconds).hasPrefix("home at 2024-06-02 01:30:00 UTC\n"))
  }

  @Test func invalidQuestionsAreRejected() async throws {
    let unknown = try await explain("scho", "08:17")
    #expect(unknown.code == 1 && unknown.errors.contains("no fence has this id. Did you mean school?"))
    let half = try await CommandRun(["explain", "--fence", "school", CommandRun.drive])
    #expect(half.code == 2 && half.errors.contains("--fence requires --at"))
    let lone = try await CommandRun(["explain", "--fence", "school", "--at", "08:17", CommandRun.drive])
    #expect(
      lone.code == 2 && lone.output.isEmpty && lone.errors.contains("requires --fences for a recording"))
    let bad = try await explain("school", "25:00")
    #expect(bad.code == 2)
  }
}
