import Foundation
import Testing

/// `whereabouts repair` of an imported past.
@Suite struct RepairTests {
  /// A walk with a fix each ten seconds; every hundredth fix lies 40 km off.
  private static func walk() -> String {
    let rows = (0..<600).map { step in
      let latitude = step % 100 == 50 ? 52.9 : 52.5 + Double(step) * 0.0001
      let time = Date(timeIntervalSince1970: 1_600_000_000 + Double(step) * 10).ISO8601Format()
      return "\(time),\(latitude),13.4,8"
    }
    return "time,lat,lon,accuracy\n" + rows.joined(separator: "\n") + "\n"
  }

  private struct Finding: Decodable {
    var finding: String
    var kind: String
    var count: Int
    var choices: [String]
  }

  @Test func findingIsReportedRepairedAndUndone() async throws {
    let folder = try TemporaryFolder()
    let store = ["--store", folder.path("store.sqlite")]
    let file = try folder.file("walk.csv", Array(Self.walk().utf8))
    let imported = try await CommandRun(["import"] + store + [file])
    #expect(
      imported.code == 0 && imported.errors.contains("this: places out of reach, 6 fixes"),
      "\(imported.errors)")
    let before = try await CommandRun(["export", "--all"] + store).output
    #expect(try await CommandRun(["export"] + store).output == before)

    let list = try await CommandRun(["repair", "list", "--json"] + store)
    let finding = try JSONDecoder().decode(Finding.self, from: Data(try list.line(0).utf8))
    #expect(finding.kind == "teleports" && finding.count == 6 && finding.choices == ["leave-out"])
    let text = try await CommandRun(["repair"] + store)
    #expect(
      text.output.hasPrefix("\(finding.finding)  places out of reach: 6 fixes, 2020-09-13\n"),
      "\(text.output)")

    let applied = try await CommandRun(["repair", "apply", finding.finding, "--choice", "leave-out"] + store)
    #expect(
      applied.output == "6 fixes changed; `whereabouts repair undo 1` restores them\n", "\(applied.errors)")
    #expect(try await CommandRun(["export"] + store).lines.count == 594)
    #expect(
      try await CommandRun(["repair"] + store).output.hasPrefix("repair 1  teleports, leave-out: 6 fixes"))
    let again = try await CommandRun(["import"] + store + [file])
    #expect(again.errors == "0 kept, 600 duplicates, 0 refused\n")

    let undone = try await CommandRun(["repair", "undo", "1"] + store)
    #expect(undone.output == "6 fixes restored\n")
    #expect(try await CommandRun(["export", "--all"] + store).output == before)
    let check = try await CommandRun(["store", "check"] + store)
    #expect(check.code == 0, "\(check.output)")
  }

  @Test func findingIsReportedBesideAFileThatCannotBeRead() async throws {
    let folder = try TemporaryFolder()
    let file = try folder.file("walk.csv", Array(Self.walk().utf8))
    let run = try await CommandRun(
      ["import", "--store", folder.path("store.sqlite"), file, folder.path("none.csv")])
    #expect(run.code == 1 && run.errors.contains("none.csv: no such file"), "\(run.errors)")
    #expect(run.errors.contains("this: places out of reach, 6 fixes"), "\(run.errors)")
  }

  @Test(arguments: [
    (
      ["apply", "teleports-0", "--choice", "leave-out"], 1 as Int32,
      "no finding has the identifier teleports-0"
    ),
    (["apply", "teleports-0", "--choice", "erase"], 2, "--choice"),
    (["apply", "mixed-0", "--choice", "move"], 2, "--choice move requires --to ID"),
    (["apply", "mixed-0", "--choice", "leave-out", "--to", "x"], 2, "--to requires --choice move"),
    (["apply", "mixed-0", "--choice", "move", "--to", "this"], 2, "--to and --device name the same device"),
    (["undo", "7"], 1, "this device has no repair 7"),
  ])
  func wrongRequestChangesNothing(arguments: [String], code: Int32, message: String) async throws {
    let folder = try TemporaryFolder()
    let store = ["--store", folder.path("store.sqlite")]
    let file = try folder.file("walk.csv", Array(Self.walk().utf8))
    _ = try await CommandRun(["import"] + store + [file])
    let run = try await CommandRun(["repair"] + arguments + store)
    #expect(run.code == code && run.errors.contains(message), "\(run.errors)")
    #expect(try await CommandRun(["repair", "list"] + store).output.contains("places out of reach"))
  }

  @Test func unknownRepairIsThatOfTheDevice() async throws {
    let folder = try TemporaryFolder()
    let store = ["--store", folder.path("store.sqlite"), "--device", "anna"]
    let file = try folder.file("walk.csv", Array(Self.walk().utf8))
    _ = try await CommandRun(["import"] + store + [file])
    let run = try await CommandRun(["repair", "undo", "7"] + store)
    #expect(run.code == 1 && run.errors.contains("anna has no repair 7"), "\(run.errors)")
  }

  @Test func storeThatIsMissingIsAnError() async throws {
    let folder = try TemporaryFolder()
    let run = try await CommandRun(["repair", "--store", folder.path("none.sqlite")])
    #expect(run.code == 1 && run.errors.contains("no store exists at "), "\(run.errors)")
  }

  @Test func timesFrom1677To2262AreImportedCheckedAndListed() async throws {
    let folder = try TemporaryFolder()
    let store = ["--store", folder.path("store.sqlite")]
    let times = [
      "1677-09-21T00:12:44Z", "1677-09-21T00:13:14Z", "1724-05-14T08:00:00Z", "2024-05-14T08:00:10Z",
      "2024-05-14T08:00:40Z", "2262-04-11T23:46:46Z", "2262-04-11T23:47:16Z",
    ]
    let rows = times.enumerated().map { "\($1),51,0.00\($0)" }.joined(separator: "\n")
    let file = try folder.file("ends.csv", Array("time,lat,lon\n\(rows)\n".utf8))
    let imported = try await CommandRun(["import"] + store + [file])
    #expect(imported.code == 0, "\(imported.errors)")
    #expect(imported.errors.contains("7 kept, 0 duplicates, 0 refused\n"), "\(imported.errors)")
    for command in ["repair", "days", "visits", "history", "trips", "export"] {
      let run = try await CommandRun([command] + store)
      #expect(run.code == 0, "\(command): \(run.errors)")
      guard command == "export" else { continue }
      for time in times { #expect(run.output.contains(time.dropLast()), "\(time)") }
    }
  }
}
