import ArgumentParser
import Foundation
import Testing

@testable import WhereaboutsCLI

/// Runs the examples of `--help` unchanged, but at full speed.
@Suite struct HelpExamplesTests {
  static let examples: [String] = {
    var commands: [any ParsableCommand.Type] = [
      Now.self, Watch.self, HeadingCommand.self, Track.self, Explain.self, Replay.self, Convert.self,
      FenceGroup.self, FenceAdd.self, FenceList.self, FenceShow.self, FenceRemove.self, FenceImport.self,
      FenceExport.self, FenceWatchCommand.self, FenceEvents.self, FenceTest.self, History.self, Trips.self,
      Days.self, Visits.self, PlacesList.self, Last.self, Power.self, Import.self, Export.self, Forget.self,
      RepairList.self, StoreCheckCommand.self, Relay.self,
      Doctor.self,
    ]
    #if Server
      commands += [AlertsCommand.self, Rejected.self]
    #endif
    return commands.flatMap { command in
      command.configuration.discussion.split(separator: "\n")
        .map { $0.trimmingCharacters(in: .whitespaces) }
        .filter { $0.hasPrefix("whereabouts ") }
    }
  }()

  @Test func everyCommandHasExamples() {
    for name in [
      "now", "watch", "heading", "track", "history", "trips", "last", "power", "import", "export", "forget",
      "explain", "replay", "convert", "relay", "doctor", "store check", "repair list", "days", "visits",
      "places list",
    ] {
      #expect(Self.examples.contains { "\($0) ".hasPrefix("whereabouts \(name) ") }, "\(name)")
    }
    for name in ["add", "list", "show", "remove", "import", "export", "watch", "events", "test"] {
      #expect(Self.examples.contains { $0.hasPrefix("whereabouts fence \(name) ") }, "\(name)")
    }
  }

  @Test func anExampleIsInTheSouthernHemisphere() {
    #expect(Self.examples.contains { $0.contains(" --at -33.") })
  }

  /// Live sources and servers are not everywhere: only that the example is understood can be tried.
  private static func isLive(_ example: String) -> Bool {
    let commands = ["now", "watch", "heading", "track", "fence watch", "doctor"]
    // These commands run until they are ended.
    if example.contains(" --server ") || example.contains(" --follow") { return true }
    if ["whereabouts relay", "whereabouts serve"].contains(where: example.hasPrefix) { return true }
    return !example.contains("replay:") && !example.contains("--no-store --fences")
      && commands.contains { "\(example) ".hasPrefix("whereabouts \($0) ") }
  }

  @Test(arguments: examples.filter(isLive)) func liveExampleParses(example: String) throws {
    let words = example.split(separator: " ").dropFirst().map { $0.filter { $0 != "'" } }
    #expect(throws: Never.self) { try WhereaboutsCommand.parseAsRoot(words) }
  }

  @Test(arguments: examples.filter { !isLive($0) }) func exampleRuns(example: String) async throws {
    let folder = try TemporaryFolder()
    for (name, sample) in [
      ("drive.nmea", CommandRun.drive), ("boat.nmea", CommandRun.sail), ("walk.gpx", CommandRun.walk),
      ("trip.gpx", CommandRun.walk), ("places.geojson", CommandRun.places),
    ] {
      try FileManager.default.createSymbolicLink(atPath: folder.path(name), withDestinationPath: sample)
    }
    if example.contains("run.journal"), !example.contains("--journal") {
      let live = ["now", "--source", "replay:\(CommandRun.drive)?speed=max"]
      #expect(try await CommandRun(live + ["--journal", folder.path("run.journal")]).code == 0)
    }
    if example.hasPrefix("whereabouts import") { try Self.prepareImports(in: folder) }
    try await Self.prepareFiles(for: example, in: folder)
    let line = example.replacing(#/replay:([a-z.]+)(\?speed=[0-9a-z]+)?/#) { "'replay:\($0.1)?speed=max'" }
      .replacing("''", with: "'")
    let run = try await CommandRun(
      shell: "cd '\(folder.path(""))' && export XDG_DATA_HOME=\"$PWD/data\" && \(line)")
    #expect(run.code == 0 && !run.errors.contains("Error"), "\(line)\n\(run.errors)")
  }

  /// Files that examples about imports name; the content decides what they are, not the name.
  private static func prepareImports(in folder: TemporaryFolder) throws {
    let records =
      "{\"locations\":[{\"latitudeE7\":1,\"longitudeE7\":2,\"deviceTag\":-7712,\"timestampMs\":\"1614834367089\"}]}"
    for name in ["Records.json", "Timeline.json", "takeout.zip"] {
      _ = try folder.file(name, Array(records.utf8))
    }
    try FileManager.default.createDirectory(atPath: folder.path("garmin"), withIntermediateDirectories: true)
    try FileManager.default.copyItem(atPath: CommandRun.walk, toPath: folder.path("garmin/walk.gpx"))
  }

  /// Files that examples about fences name, and fences where they take some to be there.
  private static func prepareFiles(for example: String, in folder: TemporaryFolder) async throws {
    let kept = [
      "days", "visits", "places", "history", "trips", "last", "power", "repair", "export", "forget", "store",
      "alerts",
    ]
    if kept.contains(where: { example.hasPrefix("whereabouts \($0)") }) {
      try FileManager.default.createDirectory(
        atPath: folder.path("data/whereabouts"), withIntermediateDirectories: true,
        attributes: [.posixPermissions: 0o700])
      for (name, content) in try await history.value {
        #expect(
          FileManager.default.createFile(
            atPath: folder.path("data/whereabouts/\(name)"), contents: content,
            attributes: [.posixPermissions: 0o600]))
      }
    }
    _ = try folder.file("rules.json", Array(#"{"rules":[{"when":{"charging":true},"preset":"low"}]}"#.utf8))
    let alert = #"{"name":"school","fences":["school"],"events":["exit"],"channels":["c"]}"#
    _ = try folder.file(
      "alerts.json",
      Array(#"{"channels":{"c":{"command":["/bin/true"]}},"alerts":[\#(alert)]}"#.utf8))
    guard example.hasPrefix("whereabouts fence ") else { return }
    _ = try folder.file(
      "yard.geojson",
      Array(#"{"type":"Polygon","coordinates":[[[0,51],[0.01,51],[0.01,51.01],[0,51]]]}"#.utf8))
    _ = try folder.file(
      "waypoints.gpx",
      Array(#"<gpx version="1.1" creator="x"><wpt lat="51" lon="0"><name>Gate</name></wpt></gpx>"#.utf8))
    guard !example.hasPrefix("whereabouts fence add "), !example.hasPrefix("whereabouts fence import ") else {
      return
    }
    let store = ["--store", folder.path("data/whereabouts/whereabouts.sqlite")]
    #expect(try await CommandRun(["fence", "import", CommandRun.places] + store).code == 0)
    #expect(try await CommandRun(["fence", "add", "work", "--at", "51.4912,0.021"] + store).code == 0)
  }

  /// The files of a store with a trip along the drive and some fixes of today, and of tomorrow for a run over midnight:
  /// made once, copied for each example.
  private static let history = Task {
    let folder = try TemporaryFolder()
    try FileManager.default.createDirectory(atPath: folder.path("store"), withIntermediateDirectories: true)
    let store = ["--store", folder.path("store/whereabouts.sqlite")]
    let drive = ["track", "--trip", "drive", "--source", "replay:\(CommandRun.drive)?speed=max"]
    #expect(try await CommandRun(drive + store).code == 0)
    let midnight = Int(Date().timeIntervalSince1970) / 86_400 * 86_400
    let rows = (Array(0..<9) + Array(86_400..<86_409)).map {
      "\(Date(timeIntervalSince1970: Double(midnight + $0)).ISO8601Format()),51,0,5\n"
    }
    let file = try folder.file("today.csv", Array("time,lat,lon,hacc\n\(rows.joined())".utf8))
    #expect(try await CommandRun(["watch", "--source", "replay:\(file)?speed=max"] + store).code == 0)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path("store"))
    return try names.map { ($0, try Data(contentsOf: URL(filePath: folder.path("store/\($0)")))) }
  }
}
