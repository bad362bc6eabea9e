import Foundation
import Testing

/// The devices of imported files, and their names.
extension ImportTests {
  @Test func deviceThatNoURLCanHoldIsRefused() async throws {
    let folder = try TemporaryFolder()
    let store = folder.path("store.sqlite")
    let file = try folder.file("Records.json", Array(Self.records(0..<2).utf8))
    func requireRefusals() async throws {
      for (option, value) in [("--device", ".."), ("--rename", "7=.")] {
        for end in [[], ["--dry-run"]] {
          let run = try await CommandRun(["import", "--store", store, option, value, file] + end)
          #expect(run.code == 2 && run.output.isEmpty, "\(run)")
          #expect(run.errors.contains("no URL can hold the device name"), "\(run.errors)")
          #expect(run.errors.contains("Pass \(option) with another name."), "\(run.errors)")
        }
      }
    }
    try await requireRefusals()
    #expect(try folder.names == ["Records.json"])
    #expect(try await CommandRun(["import", "--store", store, file]).code == 0)
    try await requireRefusals()
  }

  /// `--device` and the default device get the records that name no phone, also after one that names a phone.
  @Test func recordsWithoutATagBelongToThisDevice() async throws {
    let folder = try TemporaryFolder()
    let text = Self.records(0..<2, tags: [7, 0]).replacing(",\"deviceTag\":0", with: "")
    let file = try folder.file("Records.json", Array(text.utf8))
    for (options, names) in [([], ["this", "timeline-7"]), (["--device", "anna"], ["anna", "anna-7"])] {
      let run = try await CommandRun(
        ["import", "--store", folder.path("\(names[0]).sqlite"), file] + options)
      #expect(run.lines.map { $0.prefix { $0 != "," } } == names.map { "\($0): 2 kept" }, "\(run.output)")
    }
  }

  /// A device is renamed by its number or by the id that it has without the option.
  @Test(arguments: ["7", "timeline-7"]) func deviceIsRenamed(name: String) async throws {
    let folder = try TemporaryFolder()
    let file = try folder.file("Records.json", Array(Self.records(0..<2, tags: [7]).utf8))
    let run = try await CommandRun([
      "import", "--store", folder.path("store.sqlite"), "--rename", "\(name)=anna", "--rename", "9=ben", file,
    ])
    #expect(run.code == 0 && run.output.hasPrefix("anna: 2 kept"), "\(run.output)")
    #expect(
      run.errors == "--rename 9=ben: no file has fixes or visits of 9\n2 kept, 0 duplicates, 0 refused\n",
      "\(run.errors)")
  }

  /// Another name that becomes the same device does not hide a missing one.
  @Test func renameOfAMissingNameIsReportedBesideAnother() async throws {
    let folder = try TemporaryFolder()
    let file = try folder.file("Records.json", Array(Self.records(0..<2, tags: [7, 8]).utf8))
    let run = try await CommandRun([
      "import", "--store", folder.path("store.sqlite"), "--rename", "7=anna", "--rename", "8=anna",
      "--rename", "9=anna", file,
    ])
    #expect(run.code == 0 && run.output.hasPrefix("anna: 4 kept"), "\(run.output)")
    #expect(
      run.errors == "--rename 9=anna: no file has fixes or visits of 9\n4 kept, 0 duplicates, 0 refused\n",
      "\(run.errors)")
  }

  /// The waiting points of all devices are stored together, and the equal points of each device go on after that.
  @Test func equalPointsOfSeveralDevicesAreKept() async throws {
    let folder = try TemporaryFolder()
    func rows(_ count: Int, of tag: Int) -> [String] {
      let row = """
        {"latitudeE7":520000000,"longitudeE7":134000000,"timestampMs":"1600000000000","deviceTag":\(tag)}
        """
      return Array(repeating: row, count: count)
    }
    // As many points as may wait, then that of a third device.
    let points = rows(32_768, of: 1) + rows(32_768, of: 2) + rows(1, of: 3) + rows(1, of: 1) + rows(1, of: 2)
    let text = "{\"locations\":[\n\(points.joined(separator: ",\n"))\n]}"
    let file = try folder.file("Records.json", Array(text.utf8))
    let cases: [([String], String)] = [
      (["--dry-run"], "65,539 kept, 0 duplicates"), ([], "65,539 kept, 0 duplicates"),
      ([], "0 kept, 65,539 duplicates"),
    ]
    for (options, counts) in cases {
      let run = try await CommandRun(["import", "--store", folder.path("store.sqlite"), file] + options)
      #expect(run.code == 0 && run.errors.contains("\(counts), 0 refused\n"), "\(run.errors)")
    }
  }

  @Test func devicesOfOverlandKeepTheirNames() async throws {
    let folder = try TemporaryFolder()
    let features = ["ann", "ben"].map { name in
      #"{"type":"Feature","geometry":{"type":"Point","coordinates":[8,50]},"#
        + #""properties":{"timestamp":"2024-05-14T08:20:00Z","device_id":"\#(name)"}}"#
    }
    let batch = #"{"locations":["# + features.joined(separator: ",") + "]}"
    let file = try folder.file("batch.json", Array(batch.utf8))
    let run = try await CommandRun(["import", "--store", folder.path("store.sqlite"), file])
    #expect(run.lines.map { $0.prefix(11) } == ["ann: 1 kept", "ben: 1 kept"], "\(run.output)\(run.errors)")
  }

  /// The letter with an accent is one character in the first name and two in the second.
  @Test func devicesWithNamesThatLookAlikeAreApart() async throws {
    let folder = try TemporaryFolder()
    let names = ["ren\u{E9}e", "rene\u{301}e"]
    let features = (0..<2).map { index in
      #"{"type":"Feature","geometry":{"type":"Point","coordinates":[8,5\#(index)]},"#
        + #""properties":{"timestamp":"2024-05-14T08:20:0\#(index)Z","device_id":"\#(names[index])"}}"#
    }
    let batch = #"{"locations":["# + features.joined(separator: ",") + "]}"
    let file = try folder.file("batch.json", Array(batch.utf8))
    let run = try await CommandRun([
      "import", "--store", folder.path("store.sqlite"), "--rename", "\(names[1])=ben", file,
    ])
    #expect(run.code == 0 && run.lines.count == 2 && run.output.hasPrefix("ben: 1 kept"), "\(run)")
    let again = try await CommandRun(["import", "--store", folder.path("second.sqlite"), file])
    #expect(again.lines.map { $0.contains(": 1 kept") } == [true, true], "\(again)")
  }

  /// The names of the folders count also where the command line has dots instead.
  @Test func foldersOfARecorderNameTheDeviceFromWithin() async throws {
    let folder = try TemporaryFolder()
    let phone = folder.path("rec/anna/phone")
    try FileManager.default.createDirectory(atPath: phone, withIntermediateDirectories: true)
    let line =
      "2024-05-14T08:20:11Z\t*                 \t{\"_type\":\"location\",\"lat\":52.5,\"lon\":13.4,\"tst\":1715674800}\n"
    try Data(line.utf8).write(to: URL(filePath: "\(phone)/2024-05.rec"))
    let run = try await CommandRun(
      shell: """
        cd '\(phone)/..' && whereabouts import --store '\(folder.path("store.sqlite"))' .
        cd phone && whereabouts import --store '\(folder.path("store.sqlite"))' ../phone
        whereabouts import --store '\(folder.path("store.sqlite"))' .
        whereabouts import --store '\(folder.path("store.sqlite"))' 2024-05.rec
        cd .. && whereabouts import --store '\(folder.path("store.sqlite"))' phone
        mv phone ../../phone && cd ../.. && whereabouts import --store '\(folder.path("store.sqlite"))' phone
        """)
    let again = [Substring](repeating: "anna-phone: 0 kept", count: 4)
    #expect(
      run.lines.map { $0.prefix(18) } == ["anna-phone: 1 kept"] + again + ["this: 1 kept, 0 du"],
      "\(run.output)")
  }

  /// A Recorder writes a file for each device. Old apps and some messages state no topic.
  @Test func fileOfARecorderBelongsToTheDeviceOfItsFirstTopic() async throws {
    let folder = try TemporaryFolder()
    let topics = ["", "", #","topic":"owntracks/anna/phone""#, ""]
    let lines = topics.enumerated().map { index, topic in
      "2024-05-14T08:2\(index):11Z\t*                 \t"
        + #"{"_type":"location","lat":52.\#(index),"lon":13.4,"tst":17156748\#(index)0\#(topic)}"# + "\n"
    }
    let named = try folder.file("2024-05.rec", Array(lines.joined().utf8))
    let unnamed = try folder.file("2024-06.rec", Array(lines[..<2].joined().utf8))
    func devices(_ store: String, _ arguments: [String]) async throws -> [String] {
      let run = try await CommandRun(["import", "--store", folder.path(store)] + arguments)
      return run.lines.map { $0.split(separator: ",").first.map(String.init) ?? "" }
    }
    #expect(try await devices("a.sqlite", [named]) == ["anna-phone: 4 kept"])
    #expect(try await devices("a.sqlite", [named]) == ["anna-phone: 0 kept"])
    #expect(try await devices("b.sqlite", ["--device", "bike", named]) == ["bike-anna-phone: 4 kept"])
    #expect(try await devices("c.sqlite", ["--rename", "anna-phone=ben", named]) == ["ben: 4 kept"])
    #expect(try await devices("d.sqlite", ["--device", "bike", unnamed]) == ["bike: 2 kept"])
  }
}
