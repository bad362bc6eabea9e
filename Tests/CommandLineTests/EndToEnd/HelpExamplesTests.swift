import ArgumentParser
import Foundation
import Testing

@testable import WhereaboutsCLI

/// What `--help` shows is run as it stands there, but as fast as it goes.
@Suite struct HelpExamplesTests {
  static let examples: [String] = {
    let commands: [any ParsableCommand.Type] = [
      Now.self, Watch.self, HeadingCommand.self, Track.self, Explain.self, Replay.self, Convert.self,
    ]
    return commands.flatMap { command in
      command.configuration.discussion.split(separator: "\n")
        .map { $0.trimmingCharacters(in: .whitespaces) }
        .filter { $0.hasPrefix("whereabouts ") }
    }
  }()

  @Test func everyCommandHasSome() {
    for name in ["now", "watch", "heading", "track", "explain", "replay", "convert"] {
      #expect(Self.examples.contains { $0.hasPrefix("whereabouts \(name) ") }, "\(name)")
    }
  }

  @Test(arguments: examples) func itRuns(example: String) async throws {
    let folder = try TemporaryFolder()
    for (name, sample) in [
      ("drive.nmea", CommandRun.drive), ("boat.nmea", CommandRun.sail), ("walk.gpx", CommandRun.walk),
      ("trip.gpx", CommandRun.walk), ("places.geojson", CommandRun.places),
    ] {
      try FileManager.default.createSymbolicLink(atPath: folder.path(name), withDestinationPath: sample)
    }
    let live = ["now", "--source", "replay:\(CommandRun.drive)?speed=max"]
    if !example.contains("--journal") {
      #expect(try await CommandRun(live + ["--journal", folder.path("run.journal")]).code == 0)
    }
    let line = example.replacing(#/replay:([a-z.]+)(\?speed=[0-9a-z]+)?/#) { "'replay:\($0.1)?speed=max'" }
      .replacing("''", with: "'")
    let run = try await CommandRun(shell: "cd '\(folder.path(""))' && \(line)")
    #expect(run.code == 0 && !run.errors.contains("Error"), "\(line)\n\(run.errors)")
  }
}
