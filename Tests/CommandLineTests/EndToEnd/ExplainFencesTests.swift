import Foundation
import Testing

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
    let decisions = run.lines.filter { $0.contains("\"fenceSuspected\"") || $0.contains("\"fenceDetermined\"") }
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
    #expect(run.errors.contains("fence export --store '\(store.path)' fences.geojson"), "\(run.errors)")
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
