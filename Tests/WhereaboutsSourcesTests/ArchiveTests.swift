import Foundation
import Testing
import WhereaboutsFormats
import WhereaboutsModel
import WhereaboutsSources
import WhereaboutsTesting

/// A zip archive of stored entries in memory.
private struct StoredArchive {
  private var body: [UInt8] = []
  private var directory: [UInt8] = []
  private var count = 0

  private static func bytes(_ value: Int, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
  }

  private static func checksum(_ bytes: [UInt8]) -> Int {
    var value: UInt32 = .max
    for byte in bytes {
      value ^= UInt32(byte)
      for _ in 0..<8 { value = value & 1 == 1 ? value >> 1 ^ 0xEDB8_8320 : value >> 1 }
    }
    return Int(~value)
  }

  mutating func add(_ name: String, _ text: String, checksum: Int? = nil, flags: Int = 0, method: Int = 0) {
    let content = Array(text.utf8), name = Array(name.utf8)
    let common =
      Self.bytes(20, 2) + Self.bytes(flags, 2) + Self.bytes(method, 2) + Self.bytes(0, 4)
      + Self.bytes(checksum ?? Self.checksum(content), 4) + Self.bytes(content.count, 4)
      + Self.bytes(content.count, 4) + Self.bytes(name.count, 2) + Self.bytes(0, 2)
    directory +=
      [0x50, 0x4B, 1, 2] + Self.bytes(20, 2) + common + Self.bytes(0, 2) + Self.bytes(0, 2)
      + Self.bytes(0, 2) + Self.bytes(0, 4) + Self.bytes(body.count, 4) + name
    body += [0x50, 0x4B, 3, 4] + common + name + content
    count += 1
  }

  var file: [UInt8] {
    body + directory + [0x50, 0x4B, 5, 6, 0, 0, 0, 0] + Self.bytes(count, 2) + Self.bytes(count, 2)
      + Self.bytes(directory.count, 4) + Self.bytes(body.count, 4) + [0, 0]
  }
}

@Suite struct ArchiveTests {
  private func read(
    _ bytes: [UInt8], format: RecordingFormat? = nil
  ) throws -> (fixes: Int, segments: Int, problems: ProblemLog, file: RecordingFile) {
    let url = FileManager.default.temporaryDirectory.appending(path: "whereabouts-\(UUID().uuidString)")
    try Data(bytes).write(to: url)
    defer { try? FileManager.default.removeItem(at: url) }
    var file = try RecordingFile(path: url.path, format: format)
    var elements: [RecordingElement] = [], fixes = 0, segments = 0
    while try file.read(into: &elements) {
      for case .fix in elements { fixes += 1 }
      for case .segmentBegan in elements { segments += 1 }
    }
    return (fixes, segments, file.problems, file)
  }

  private static let track = "time,lat,lon\n2024-06-01T12:00:00Z,47,8\n2024-06-01T12:00:05Z,north,8\n"

  @Test func everyRecordingOfAnArchiveIsReadAndOtherFilesAreCounted() throws {
    var archive = StoredArchive()
    archive.add("readme.txt", "hello")
    archive.add("2024/a.csv", Self.track)
    archive.add("2024/b.igc", "HFDTE010221\nB1011355206343N00006198WA0058700558\n")
    archive.add("empty.csv", "")
    let result = try read(archive.file)
    #expect(result.fixes == 2 && result.file.partCount == 2 && result.file.skippedPartCount == 1)
    #expect(result.problems.samples.map(\.part) == ["2024/a.csv"])
    #expect(result.problems.samples.map(\.line) == [3])
  }

  /// Dawarich's archive has the files from which its points were imported.
  @Test(arguments: [true, false]) func filesAttachedToDawarichsArchiveAreNotRead(isInOneFile: Bool) throws {
    var archive = StoredArchive()
    let point = #"{"timestamp":1715674811,"tracker_id":"an","latitude":52.5,"longitude":13.4}"#
    if isInOneFile {
      archive.add("data.json", #"{"counts":{"points":1,"notifications":0},"points":["# + point + "]}")
    } else {
      archive.add("manifest.json", #"{"format_version":2}"#)
      archive.add("settings.jsonl", "{}\n")
      archive.add("points/2024/2024-05.jsonl", point + "\n")
    }
    archive.add("files/import_1_a.csv", Self.track)
    let result = try read(archive.file)
    #expect(result.fixes == 1 && result.file.partCount == 1)
    #expect(result.file.skippedPartNames.last == "files/import_1_a.csv")
  }

  @Test func filesBesideOtherDataAreRead() throws {
    var archive = StoredArchive()
    archive.add("data.json", #"{"name":"other"}"#)
    archive.add("files/import_1_a.csv", Self.track)
    archive.add("files/b.csv", Self.track)
    let result = try read(archive.file)
    #expect(result.fixes == 2 && result.file.skippedPartNames == ["data.json"])
  }

  /// A long remark hides the format. The other files remain files that are no recordings.
  @Test func filesOfAnUnknownFormatAreReadInTheGivenOne() throws {
    var archive = StoredArchive()
    archive.add("readme.txt", "hello")
    let remark = "<!--\(String(repeating: "x", count: RecordingFormat.detectionLength))-->"
    archive.add(
      "long.gpx", remark + "<gpx><trk><trkseg><trkpt lat=\"1\" lon=\"2\"/></trkseg></trk></gpx>")
    archive.add("page.html", "<html><body>hello</body></html>")
    #expect(throws: SourceProblem.self) { try read(archive.file) }
    let result = try read(archive.file, format: .gpx)
    #expect(result.fixes == 1 && result.file.skippedPartCount == 2)
    #expect(result.file.skippedPartNames == ["readme.txt", "page.html"])
    #expect(result.problems.total == 0 && result.file.skippedElements.isEmpty)
  }

  /// No line of another format is a problem of IGC.
  @Test func filesInAnotherFormatThanTheGivenOneAreProblems() throws {
    var archive = StoredArchive()
    archive.add("x.igc", "HFDTE010221\nB1011355206343N00006198WA0058700558\n")
    archive.add("a.gpx", "<gpx><trk><trkseg><trkpt lat=\"1\" lon=\"2\"/></trkseg></trk></gpx>")
    archive.add("b.csv", "time,lat,lon\n2024-06-01T12:00:00Z,47,8\n")
    archive.add("readme.txt", "hello")
    let result = try read(archive.file, format: .igc)
    #expect(result.fixes == 1 && result.segments == 1)
    #expect(result.problems.samples.map(\.part) == ["a.gpx", "b.csv"])
    #expect(
      result.problems.samples.map(\.detail) == [
        "it looks like gpx, and nothing in it could be read as igc",
        "it looks like csv, and nothing in it could be read as igc",
      ])
    #expect(result.file.skippedPartNames == ["readme.txt"])
    let all = try read(archive.file)
    #expect(all.fixes == 3 && all.problems.total == 0)
  }

  /// A file without a point, or one that is no recording, was an empty segment.
  @Test func onlyFilesWithPointsBeginSegments() throws {
    var archive = StoredArchive()
    archive.add("a.txt", "hello")
    archive.add("b.csv", Self.track)
    archive.add("c.txt", "hello")
    archive.add("d.csv", "time,lat,lon\n")
    archive.add("e.csv", Self.track)
    archive.add("f.txt", "hello")
    for format in [nil, .csv] as [RecordingFormat?] {
      let result = try read(archive.file, format: format)
      #expect(result.fixes == 2 && result.segments == 1, "\(result.segments) segments")
      #expect(result.file.skippedPartCount == 3)
    }
  }

  @Test func archiveWithoutARecordingInTheGivenFormatIsRefused() throws {
    var archive = StoredArchive()
    archive.add("readme.txt", "hello")
    let problem = #expect(throws: SourceProblem.self) { try read(archive.file, format: .gpx) }
    #expect(
      problem?.message.contains("no file in the archive is a readable recording: readme.txt: ") == true)
    #expect(problem?.remedy == nil)
  }

  /// Traccar's server writes its reports as workbooks.
  @Test func workbookIsToBeSavedAsATable() throws {
    var archive = StoredArchive()
    for name in ["[Content_Types].xml", "_rels/.rels", "docProps/app.xml", "xl/workbook.xml"] {
      archive.add(name, "<x/>")
    }
    let problem = #expect(throws: SourceProblem.self) { try read(archive.file) }
    #expect(problem?.message.hasSuffix("it is an Excel workbook; save its table as CSV") == true)
  }

  private static let kml =
    "<kml><Placemark><gx:Track xmlns:gx=\"g\"><when>2021-01-01T08:00:00Z</when><gx:coord>2 1</gx:coord></gx:Track></Placemark></kml>"

  /// Only `doc.kml` makes an archive a KMZ: a KML file is one recording of several otherwise.
  @Test func kmlFilesAreReadBesideOtherRecordings() throws {
    var archive = StoredArchive()
    archive.add("drive.kml", Self.kml)
    archive.add("drive.csv", Self.track)
    archive.add("2024/doc.kml", Self.kml)
    let result = try read(archive.file)
    #expect(result.fixes == 3 && result.file.partCount == 3)
  }

  @Test func documentOfAKMZIsRead() throws {
    var archive = StoredArchive()
    archive.add("files/track.csv", Self.track)
    archive.add("doc.kml", Self.kml)
    archive.add("other.kml", "<kml/>")
    let result = try read(archive.file)
    #expect(result.fixes == 1 && result.file.format == .kml && result.file.partCount == 1)
  }

  /// Balloons of a map are HTML, and a note may have any word.
  @Test func recordingsWithWordsOfOtherFilesAreRead() throws {
    var archive = StoredArchive()
    let description = "<description><![CDATA[<html>x</html>]]></description>"
    archive.add("a.kml", Self.kml.replacing("<Placemark>", with: "<Placemark>\(description)"))
    archive.add("b.csv", "time,lat,lon,note\n2024-06-01T12:00:00Z,47,8,encrypted\n")
    let result = try read(archive.file)
    #expect(result.fixes == 2 && result.file.skippedPartCount == 0)
  }

  @Test func entriesThatCannotBeReadLoseOnlyThemselves() throws {
    var archive = StoredArchive()
    archive.add("wrong.csv", Self.track, checksum: 7)
    archive.add("secret.csv", Self.track, flags: 1)
    archive.add("strange.csv", Self.track, method: 99)
    archive.add("good.csv", Self.track)
    let result = try read(archive.file)
    #expect(result.fixes == 2)
    #expect(result.problems.counts[.wrongChecksum] == 1)
    let details = result.problems.samples.map(\.detail).joined(separator: "; ")
    #expect(details.contains("it is encrypted") && details.contains("method 99"), "\(details)")
  }

  /// Recordings may be missing. A file of another kind is none.
  @Test(
    arguments: [(nil, 0, 0, false), (7, 0, 0, true), (nil, 1, 0, true), (nil, 0, 99, true)]
      as [(Int?, Int, Int, Bool)])
  func entryThatCannotBeReadMakesTheArchiveIncomplete(
    _ checksum: Int?, _ flags: Int, _ method: Int, _ isIncomplete: Bool
  ) throws {
    var archive = StoredArchive()
    archive.add("good.csv", Self.track)
    archive.add("readme.txt", "hello")
    archive.add("old.bz2", "BZh91AY&SY")
    archive.add("other.csv", Self.track, checksum: checksum, flags: flags, method: method)
    let result = try read(archive.file)
    #expect(result.fixes >= 1 && result.file.isIncomplete == isIncomplete)
  }

  @Test func archiveWithoutARecordingIsNamed() throws {
    var archive = StoredArchive()
    archive.add("readme.txt", "hello")
    #expect(throws: SourceProblem.self) { try read(archive.file) }
  }

  @Test func archiveOfEncryptedRecordingsHasARemedy() throws {
    var archive = StoredArchive()
    archive.add("secret.csv", Self.track, flags: 1)
    let problem = #expect(throws: SourceProblem.self) { try read(archive.file) }
    #expect(problem?.message.contains("it is encrypted") == true)
    #expect(problem?.remedy?.contains("Unpack the archive") == true)
  }

  @Test(arguments: 1...300 as ClosedRange<UInt64>) func damagedArchivesNeverCrash(seed: UInt64) throws {
    var archive = StoredArchive()
    for name in ["a.csv", "b.csv", "c.csv"] { archive.add(name, Self.track) }
    var bytes = archive.file
    var random = SeededGenerator(seed: seed)
    for _ in 0..<Int.random(in: 1...6, using: &random) {
      let index = Int.random(in: 0..<bytes.count, using: &random)
      switch Int.random(in: 0..<3, using: &random) {
      case 0: bytes[index] = UInt8.random(in: 0...255, using: &random)
      case 1: bytes[index] = 0xFF
      default: bytes.removeSubrange(index..<min(bytes.count, index + 3))
      }
    }
    // Refused or read in part, and within the bounds.
    let result = try? read(bytes)
    #expect(result?.fixes ?? 0 <= 6)
  }
}
