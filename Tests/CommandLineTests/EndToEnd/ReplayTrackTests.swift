import Foundation
import ReportTestSupport
import Testing
import WhereaboutsTesting

@Suite struct ReplayTrackTests {
  @Test(arguments: [CommandRun.drive, CommandRun.walk, CommandRun.sail])
  func linesArePointsFollowedByTotals(file: String) async throws {
    let run = try await CommandRun(["replay", "--track", "--json", file])
    #expect(run.code == 0 && run.errors.isEmpty)
    let lines = try run.lines.map(Self.object)
    let points = lines.dropLast()
    #expect(points.count > 200)
    for point in points {
      #expect(
        Set(point.keys).isSuperset(of: ["time", "lat", "lon", "distance", "uncertainty", "speed", "motion"]))
      #expect(point.keys.allSatisfy(Self.keys.contains), "\(point)")
    }
    #expect(points.first?["begins"] as? Bool == true)
    for key in ["distance", "uncertainty"] {
      let values = lines.compactMap { $0[key] as? Double }
      #expect(
        values.count == lines.count && zip(values, values.dropFirst()).allSatisfy { $0 <= $1 }, "\(key)")
    }
    let times = points.compactMap { $0["time"] as? String }
    #expect(zip(times, times.dropFirst()).allSatisfy { $0 < $1 })
    let last = try #require(lines.last)
    let totals = try #require(last["totals"] as? [String: Any])
    #expect(last["time"] == nil && totals["file"] as? String == file)
    #expect(totals["start"] as? String == times.first && totals["end"] as? String == times.last)
    for key in ["bridged", "gaps", "segments", "elapsed", "moving", "fastest", "stops", "motion"] {
      #expect(totals[key] != nil, "\(key)")
    }
    #expect(totals["segments"] as? Int == points.count { $0["begins"] != nil })
    #expect(totals["gaps"] as? Int == points.count { $0["gap"] != nil })
  }

  @Test func trackIsIndependentOfReplaySpeed() async throws {
    let fast = try await CommandRun(["replay", "--track", "--json", CommandRun.drive])
    let paced = try await CommandRun(["replay", "--track", "--json", "--speed", "2000", CommandRun.drive])
    #expect(fast.code == 0 && fast.output == paced.output)
  }

  @Test func contradictedActivityIsReported() async throws {
    let plain = try await CommandRun(["replay", "--track", CommandRun.drive])
    let walk = try await CommandRun(["replay", "--track", "--activity", "walk", CommandRun.drive])
    let car = try await CommandRun(["replay", "--track", "--activity", "car", CommandRun.drive])
    #expect(
      walk.lines.contains("  Activity    not only walk, which keeps below 28.8 km/h; all of it is counted"))
    #expect(!plain.output.contains("  Activity ") && !car.output.contains("  Activity "))
    #expect(walk.output != plain.output)
    let json = try await CommandRun(["replay", "--track", "--json", "--activity", "walk", CommandRun.drive])
    #expect(try #require(json.lines.last).contains(#""fasterThan":"walk""#))
  }

  @Test func bothMethodsAgreeClosely() async throws {
    var distances: [Double] = []
    for method in ["estimated", "candidates"] {
      let run = try await CommandRun(["replay", "--track", "--json", "--method", method, CommandRun.walk])
      #expect(run.code == 0)
      let last = try Self.object(try #require(run.lines.last))
      distances.append(try #require(last["distance"] as? Double))
    }
    #expect(
      distances.allSatisfy { (2800...3100).contains($0) } && distances[0] != distances[1], "\(distances)")
  }

  @Test func textSummarizesTrack() async throws {
    let run = try await CommandRun(["replay", "--track", CommandRun.walk])
    #expect(run.code == 0 && run.errors.isEmpty)
    for label in ["When", "Fixes", "Distance", "Moving", "Stops"] {
      #expect(run.lines.contains { $0.hasPrefix("  \(label) ") }, "\(label)")
    }
    #expect(run.lines.contains { $0.hasPrefix("  Distance ") && $0.contains(" km ±") })
    #expect(run.output.contains("21:58:21 for 6 min 55 s, no fixes"))
    #expect(!run.output.contains("plain sum"))
  }

  @Test func pointsAreShownLiveAtLimitedSpeed() async throws {
    let run = try await CommandRun(["replay", "--track", "--speed", "5000", CommandRun.sail])
    #expect(run.code == 0 && run.lines.count { $0.contains("km/h") && $0.contains("±") } > 250)
  }

  @Test func severalRecordingsAreMeasuredSeparatelyAndTogether() async throws {
    let run = try await CommandRun(["replay", "--track", "--json", CommandRun.sail, CommandRun.walk])
    let totals = try run.lines.map(Self.object).filter { $0["totals"] != nil }
    let distances = totals.compactMap { $0["distance"] as? Double }
    try #require(run.code == 0 && distances.count == 3 && totals.count == 3)
    #expect((distances[0] + distances[1] - distances[2]).magnitude < 0.01)
    #expect((totals[2]["totals"] as? [String: Any])?["files"] as? Int == 2)
    let plain = try await CommandRun(["replay", "--track", CommandRun.sail, CommandRun.walk])
    #expect(try #require(plain.lines.last).hasPrefix("Together "))
  }

  @Test func duplicatesAndSlightDisorderChangeNothing() async throws {
    let whole = try await CommandRun(["convert", "--to", "csv", CommandRun.sail])
    var lines = whole.lines.map(String.init)
    let header = lines.removeFirst()
    let plain = ([header] + lines).joined(separator: "\n")
    for index in stride(from: 3, to: lines.count - 3, by: 7) { lines.swapAt(index, index + 2) }
    let disturbed = ([header] + lines.flatMap { [$0, $0] }).joined(separator: "\n")
    let one = try await CommandRun(["replay", "--track", "--json", "-"], input: Array(plain.utf8))
    let other = try await CommandRun(["replay", "--track", "--json", "-"], input: Array(disturbed.utf8))
    #expect(one.code == 0 && one.output == other.output)
  }

  @Test(arguments: [1, 2, 3] as [UInt64])
  func reorderingWithinFiveSecondsChangesNothing(seed: UInt64) async throws {
    let whole = try await CommandRun(["convert", "--to", "csv", CommandRun.drive])
    let header = try whole.line(0)
    let rows = whole.lines.dropFirst().map(String.init)
    var generator = SeededGenerator(seed: seed)
    let times = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
    let order = try rows.map { row in
      let time = try times.parse(String(row.prefix { $0 != "," })).timeIntervalSince1970
      return (time + Double.random(in: 0..<4.9, using: &generator), row)
    }
    func run(_ rows: [String]) async throws -> [Substring] {
      let text = ([String(header)] + rows).joined(separator: "\n")
      return try await CommandRun(["replay", "--track", "--json", "-"], input: Array(text.utf8)).lines
    }
    let plain = try await run(rows), shuffled = try await run(order.sorted { $0.0 < $1.0 }.map(\.1))
    #expect(plain.count > 600 && plain == shuffled, "seed \(seed)")
  }

  @Test func mapAndPlotAreDrawnAndNotReplacedWithoutForce() async throws {
    let folder = try TemporaryFolder()
    let pictures = ["--map", folder.path("map.svg"), "--plot", folder.path("plot.svg")]
    #expect(try await CommandRun(["replay", "--track", CommandRun.walk] + pictures).code == 0)
    for name in ["map.svg", "plot.svg"] {
      _ = try Picture([UInt8](Data(contentsOf: URL(filePath: folder.path(name)))))
    }
    #expect(try await CommandRun(["replay", "--track", CommandRun.walk] + pictures).code == 1)
    #expect(try await CommandRun(["replay", "--track", CommandRun.walk, "--force"] + pictures).code == 0)
    #expect(try folder.names == ["map.svg", "plot.svg"])
    let output = try await CommandRun(["replay", "--track", "--plot", "-", CommandRun.walk])
    #expect(output.code == 0 && output.output.hasPrefix("<svg ") && output.output.hasSuffix("</svg>\n"))
  }

  @Test(arguments: [
    "lat,lon\n47,8\n47.1,8\n", "time,lat,lon\n,47,8\n,47.05,8\n2024-05-14T07:30:00Z,47.1,8\n",
    #"<gpx version="1.1"><trk><trkseg><trkpt lat="47" lon="8"/><trkpt lat="47.1" lon="8"/></trkseg></trk></gpx>"#,
  ])
  func untimedFixesYieldThePlainLength(text: String) async throws {
    let folder = try TemporaryFolder()
    let options = [
      "replay", "--track", "-", "--map", folder.path("map.svg"), "--plot", folder.path("plot.svg"),
    ]
    let run = try await CommandRun(options, input: Array(text.utf8))
    #expect(
      run.code == 0
        && run.output.contains("  Distance    11.12 km (plain sum of the steps, noise and all)\n"))
    #expect(run.output.contains("fixes says when") || run.output.contains("fixes don't say when"))
    let map = try Picture([UInt8](Data(contentsOf: URL(filePath: folder.path("map.svg")))))
    #expect(map.texts.contains("start") && map.texts.contains { $0.contains("11.12 km") })
    let plot = try Picture([UInt8](Data(contentsOf: URL(filePath: folder.path("plot.svg")))))
    #expect(plot.texts.contains("nothing to draw: the fixes don't say when they were made"))
    let json = try await CommandRun(["replay", "--track", "--json", "-"], input: Array(text.utf8))
    let last = try Self.object(try #require(json.lines.last))
    #expect(try #require(last["distance"] as? Double).rounded() == 11117 && last["uncertainty"] == nil)
    #expect((last["totals"] as? [String: Any])?["untimed"] as? Int == 2)
    let recording = try folder.file("untimed", Array(text.utf8))
    let live = try await CommandRun(["track", "--source", "replay:\(recording)?speed=max"])
    #expect(live.code == 1 && live.errors.contains("`whereabouts replay --track` for the plain sum"))
    #expect(!live.errors.contains("NMEA"), "\(live.errors)")
  }

  /// A receiver that corrects its date was neither silent nor at rest for a day.
  @Test func correctionOfTheDateByADayIsNoStop() async throws {
    var input: [UInt8] = [], latitude = 48.0
    for day in [13, 14] {
      var sentences = NMEASentences(hour: 8, minute: day, day: day, month: 5, year: 2024)
      for second in 0..<40 {
        latitude += 5e-5
        sentences.append(
          NMEASentences.Epoch(
            second: second, latitude: latitude, longitude: 11, height: 500, speed: 5.56, course: 0,
            quality: NMEASentences.Quality(accuracy: 5, satellites: 8, dilution: 1), listsSatellites: false))
      }
      input += sentences.bytes
    }
    let run = try await CommandRun(["track", "--no-store", "--source", "nmea:-"], input: input)
    #expect(run.code == 0 && run.output.contains("Distance "), "\(run)")
    #expect(!run.output.contains("Stops ") && !run.output.contains("Gaps "), "\(run.output)")
    #expect(!run.output.contains(" d 0 h, moving"), "\(run.output)")
  }

  @Test func dateIsAdvisedForNMEAWithoutDates() async throws {
    let folder = try TemporaryFolder()
    let lines = (0..<3).map { "$GPGGA,12000\($0),4700.\($0)00,N,00830.000,E,1,08,1.0,499.6,M,48.0,M,,\r\n" }
    let recording = try folder.file("undated.nmea", Array(lines.joined().utf8))
    let source = "replay:\(recording)?speed=max&checksums=optional"
    let live = try await CommandRun(["track", "--source", source, "--store", folder.path("store.sqlite")])
    #expect(live.code == 1 && live.errors.contains("For NMEA without dates, pass --date"), "\(live.errors)")
  }

  @Test func fixesBeforeFirstTimeAreExcluded() async throws {
    let whole = try await CommandRun(["convert", "--to", "csv", CommandRun.sail])
    var lines = whole.lines.map(String.init)
    let plain = lines.joined(separator: "\n")
    let columns = try whole.line(0).split(separator: ",").map(String.init)
    let untimed = columns.map { $0 == "latitude" ? "47" : $0 == "longitude" ? "8" : "" }
    lines.insert(contentsOf: Array(repeating: untimed.joined(separator: ","), count: 5), at: 1)
    let with = lines.joined(separator: "\n")
    let one = try await CommandRun(["replay", "--track", "--json", "-"], input: Array(plain.utf8))
    let other = try await CommandRun(["replay", "--track", "--json", "-"], input: Array(with.utf8))
    #expect(one.code == 0 && one.output == other.output)
  }

  @Test func controlCharactersInNamesAreReplaced() async throws {
    let folder = try TemporaryFolder()
    let plain = try folder.file("plain.csv", Array("time,lat,lon\n2024-05-14T07:30:00Z,47,8\n".utf8))
    let file = plain + "\u{1B}[31m"
    try FileManager.default.copyItem(atPath: plain, toPath: file)
    for arguments in [
      ["replay", "--track", file], ["replay", "--track", file + "c"],
      ["track", "--source", "replay:\(file)c"],
    ] {
      let run = try await CommandRun(arguments)
      let scalars = (run.output + run.errors).unicodeScalars
      #expect(!scalars.contains("\u{1B}") && scalars.contains("\u{FFFD}"))
    }
  }

  @Test(arguments: ["", "\n", "time,lat,lon\n", "lat,lon\n47,8\n"])
  func recordingWithoutFixesHasNoTrack(text: String) async throws {
    let run = try await CommandRun(["replay", "--track", "--json", "-"], input: Array(text.utf8))
    #expect(!run.errors.contains("Fatal") && (run.code == 0 || !run.errors.isEmpty))
    #expect(!run.output.contains(#"{"time""#))
    if run.code == 0 {
      let last = try Self.object(try #require(run.lines.last))
      #expect(last["distance"] as? Double == 0)
      let plain = try await CommandRun(["replay", "--track", "-"], input: Array(text.utf8))
      #expect(plain.output.contains("Distance    none: too few fixes that belong together"))
    }
  }

  @Test func journalIsRejected() async throws {
    let folder = try TemporaryFolder()
    let journal = folder.path("run.journal")
    let source = "replay:\(CommandRun.sail)?speed=max"
    #expect(try await CommandRun(["track", "--source", source, "--journal", journal]).code == 0)
    let run = try await CommandRun(["replay", "--track", journal])
    #expect(run.code == 2 && run.errors.hasSuffix("--track requires a recording\n"))
  }

  @Test func singleFixIsDrawnWithoutTrack() async throws {
    let text = "time,lat,lon\n2024-05-14T07:30:00Z,47,8\n"
    let folder = try TemporaryFolder()
    let run = try await CommandRun(
      ["replay", "--track", "-", "--plot", folder.path("plot.svg"), "--map", folder.path("map.svg")],
      input: Array(text.utf8))
    #expect(run.code == 0 && run.output.contains("Distance    none: too few fixes"))
    #expect(try folder.names == ["map.svg", "plot.svg"])
    let map = try Picture([UInt8](Data(contentsOf: URL(filePath: folder.path("map.svg")))))
    #expect(map.texts.contains { $0.hasSuffix("not measured: too few fixes that belong together") })
    #expect(!map.texts.contains { $0.hasPrefix("nothing to draw") })
  }

  @Test func unreadableRecordingFailsWithoutPictures() async throws {
    let folder = try TemporaryFolder()
    let run = try await CommandRun(
      ["replay", "--track", "--plot", folder.path("plot.svg"), "/nowhere/at-all.gpx"])
    #expect(run.code == 1 && run.output.isEmpty)
    #expect(run.errors == "whereabouts: could not read /nowhere/at-all.gpx: no such file or directory\n")
    #expect(try folder.names == [])
  }

  @Test(arguments: [
    ["--activity", "walk"], ["--gaps", "none"], ["--plot", "plot.svg"], ["--track", "--activity", "swim"],
    ["--track", "--gaps", "guess"],
    ["--method", "candidates"], ["--track", "--method", "guess"],
    ["--track", "--method", "candidates", "--gaps", "none"], ["--track", "--json", "--plot", "-"],
    ["--track", "--map", "-", "--plot", "-"], ["--track", "--map", "a.svg", "--plot", "a.svg"],
  ])
  func invalidOptionsAreUsageErrors(options: [String]) async throws {
    let run = try await CommandRun(["replay"] + options + [CommandRun.walk])
    #expect(run.code == 2 && run.output.isEmpty && run.errors.hasPrefix("Error: "), "\(run.errors)")
  }

  private static let keys: Set<String> = [
    "time", "lat", "lon", "distance", "uncertainty", "speed", "height", "motion", "begins", "gap",
  ]

  private static func object(_ line: Substring) throws -> [String: Any] {
    try #require(JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
  }
}
