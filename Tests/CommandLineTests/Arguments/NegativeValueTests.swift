import ArgumentParser
import Testing

@testable import WhereaboutsCLI

@Suite struct NegativeValueTests {
  @Test(
    arguments: [
      (["--at", "-33.86,151.2"], ["--at=-33.86,151.2"]),
      (["--at=-33.86,151.2", "--json"], ["--at=-33.86,151.2", "--json"]),
      (["--polygon", "-33,151 -34,151 -34,152"], ["--polygon=-33,151 -34,151 -34,152"]),
      (["--at", "-.5,1"], ["--at=-.5,1"]), (["--at", " -1,1"], ["--at= -1,1"]),
      (["--at", "--json"], ["--at", "--json"]), (["--at", "-h"], ["--at", "-h"]),
      (["--at", "-"], ["--at", "-"]), (["--", "--at", "-1"], ["--", "--at", "-1"]),
      (["-1", "--", "-2"], ["-1", "--", "-2"]),
    ] as [([String], [String])])
  func negativeNumberIsJoinedToPrecedingOption(arguments: [String], joined: [String]) {
    #expect(joiningNegativeValues(arguments) == joined)
  }

  @Test(arguments: [
    ["--at", "-33.86,151.2"], ["--at", "-33.86,-70.6", "--radius", "80"],
    ["--polygon", "-33,151 -34,151 -34,152"],
    ["--corridor", "-33,151 -34,151", "--width", "40"],
  ])
  func fenceWithNegativeLatitudeIsAdded(place: [String]) async throws {
    let folder = try TemporaryFolder()
    let run = try await CommandRun(
      ["fence", "add", "south"] + place + ["--store", folder.path("a.sqlite")])
    #expect(run.code == 0, "\(run.errors)")
  }

  @Test(arguments: [["--at"], ["--at", "--json"]]) func missingValueIsReportedWithOptionName(place: [String])
    async throws
  {
    let run = try await CommandRun(["fence", "add", "south"] + place)
    #expect(run.code == 2 && run.errors.contains("Missing value for '--at <lat,lon>'"), "\(run.errors)")
  }

  @Test func placeOutOfRangeIsRefused() async throws {
    let run = try await CommandRun(["fence", "add", "south", "--at", "-91,0"])
    #expect(run.code == 2 && run.errors.contains("'-91,0' is invalid for '--at <lat,lon>'"), "\(run.errors)")
  }
}
