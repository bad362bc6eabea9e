import Testing
import WhereaboutsTesting

@testable import WhereaboutsFormats

@Suite struct DetectionTests {
  private static let rmc = "$GPRMC,123519,A,4807.038,N,01131.000,E,022.4,084.4,230394,003.1,W*6A\r\n"
  private static let fix = "{\"lat\":1,\"lon\":2}\n"
  private static let record =
    "2024-05-14T08:20:12Z\t*                 \t{\"_type\":\"location\",\"lat\":1,\"lon\":2,\"tst\":1715674812}\n"

  @Test(
    arguments: [
      (rmc, .nmea), ("# made by hand\n# 2\n\n" + rmc, .nmea), ("\u{1}\u{2}ÿþ\u{3}" + rmc, .nmea),
      (String(repeating: "noise ", count: 600) + rmc, .nmea), ("41\r\n" + rmc + rmc, .nmea),
      ("12:35:19 " + rmc, .nmea), ("!AIVDM,1,1,,A,14eG;o@034o8sd<L9i:a;WF>062D,0*7D\r\n", .nmea),
      ("$GPGGA,123519,4807.038,N,01131.000,E,1,08,0.9,545.4,M,46.9,M,,\r\n", .nmea),
      ("<gpx/>", .gpx),
      ("\u{FEFF} \n<?xml version=\"1.0\"?>\n<!-- <kml> -->\n<!DOCTYPE gpx>\n<gpx version=\"1.1\">", .gpx),
      ("<?xml version=\"1.0\"?>\n<!DOCTYPE gpx [\n<!ELEMENT gpx ANY>\n] >\n<gpx>", .gpx),
      ("<?xml version=\"1.0\"?>\n<!DOCTYPE HealthData [\n<!ELEMENT HealthData ANY>\n]>\n<HealthData>", nil),
      ("<!DOCTYPE HealthData [\n<!ELEMENT HealthData ANY>\n", nil), ("<!DOCTYPE html>\n<html>\n", nil),
      ("Attention!Read this.\n", nil),
      ("<g:gpx xmlns:g=\"urn:g\">", .gpx),
      (fix, .jsonLines), ("\u{FEFF}\n\n  " + fix, .jsonLines), ("{\"a\":1}\n" + fix, .jsonLines),
      ("{\"lat\":1,\"lon\":2,\"x\":\"cut he", nil), ("{\"a\":1}", nil),
      ("{\"class\":\"TPV\",\"mode\":3,\"lat\":1,\"lon\":2}\n", .jsonLines),
      ("{\"class\":\"VERSION\",\"release\":\"3.25\"}\r\n", .jsonLines),
      ("{\"class\":\"VERSION\",\"release\":\"3.25\"}\r\n" + rmc, .nmea),
      ("{\"class\":\"car\",\"lat\":1,\"lon\":2}\n", nil), ("[1,2]", nil),
      ("[{\"time\":\"2024-03-01T12:30:05Z\",\"lat\":1,\"lon\":2}]", nil),
      ("[{\"id\":1,\"latitude\":48.1,\"longitude\":11.5}]\n", nil),
      ("[{\"timestamp\":1709296205,\"latitude\":\"48.1\",\"longitude\":\"11.5\"}]", .geoJSON),
      ("[{\"timestamp\":1709296205,\"coords\":{\"latitude\":48.1,\"longitude\":11.5}}]", nil),
      ("{\"type\":\"FeatureCollection\",\"features\":[", .geoJSON),
      ("{ \"bbox\":[1,2,3,4],\n \"type\":\"Feature\"", .geoJSON),
      ("{\"type\":\"car\",\"lat\":1,\"lon\":2}", .jsonLines),
      ("time,lat,lon\n", .csv), ("\u{FEFF}# x\n\"Longitude\";\"Latitude\"\r\n1;2\r\n", .csv),
      ("lat\tlng", .csv),
      ("lat,time\n1,2\n", .csv), ("<kml><gpx/></kml>", .kml), ("<html>", nil),
      ("<!-- never closed <gpx>", nil),
      ("", nil), ("   \n", nil), ("hello, world", nil), ("$HOME,$PATH\n", nil), ("\0\0\0\0", nil), ("{", nil),
    ] as [(String, RecordingFormat?)])
  func formatIsDetectedFromContent(text: String, format: RecordingFormat?) {
    #expect(RecordingFormat.detect(Array(text.utf8)) == format)
  }

  /// A full disk or a power cut damages lines of a Recorder's file. A log has no messages of OwnTracks.
  @Test(
    arguments: [
      (record, .ownTracks), ("2024-05-14T08:2\n" + record, .ownTracks),
      ("cation\",\"lat\":1,\"lon\":2}\n" + record, .ownTracks), ("{\"_ty\n" + record, .ownTracks),
      ("\0\0\0\0\n" + record, .ownTracks), ("time,lat,lon\n2024-05-14T08:20:12Z,1,2\n", .csv),
      ("started\n2024-05-14T08:20:12Z INFO {\"user\":1}\n", nil),
    ] as [(String, RecordingFormat?)])
  func recordsAreDetectedAfterADamagedLine(text: String, format: RecordingFormat?) {
    #expect(RecordingFormat.detect(Array(text.utf8)) == format)
  }

  /// Other programs export messages of OwnTracks in a column of a table.
  @Test(
    arguments: [
      ("time\tlat\tlon\traw", "2024-05-14T08:20:00Z\t52.0\t13.4\t"),
      ("time\ttopic\tlat\tlon\traw", "2024-05-14T08:20:00Z\towntracks/a/b\t52.0\t13.4\t"),
      ("time\ttopic\traw\tlat\tlon", "2024-05-14T08:20:00Z\towntracks/a/b\t"),
    ])
  func tablesWithAColumnOfMessagesAreCSV(header: String, start: String) {
    let end = header.hasSuffix("raw") ? "" : "\t52.0\t13.4"
    let message = "{\"_type\":\"location\",\"lat\":52.0,\"lon\":13.4,\"tst\":1715674800}"
    let row = Array("\(start)\(message)\(end)\n".utf8)
    #expect(RecordingFormat.detect(Array("\(header)\n".utf8) + row) == .csv)
    // Wherever the row ends that detection reads last.
    for length in 0...row.count {
      let note = Array("#\(String(repeating: "x", count: length))\n\(header)\n".utf8)
      let rows = (0..<100).flatMap { _ in row }
      #expect(RecordingFormat.detect(Array((note + rows).prefix(RecordingFormat.detectionLength))) == .csv)
    }
  }

  @Test func formatIsDetectedInUTF16() {
    let text = "\u{FEFF}<?xml version=\"1.0\" encoding=\"UTF-16\"?><gpx>"
    let little = text.utf16.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }
    let big = text.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] }
    #expect(RecordingFormat.detect(little) == .gpx)
    #expect(RecordingFormat.detect(big) == .gpx)
  }

  @Test func detectionReadsOnlyTheBeginning() {
    let late = String(repeating: "x", count: RecordingFormat.detectionLength) + Self.rmc
    #expect(RecordingFormat.detect(Array(late.utf8)) == nil)
  }

  @Test(arguments: RecordingFormat.allCases) func readableFormatsHaveDecodersAndWritableFormatsHaveWriters(
    format: RecordingFormat
  ) {
    #expect(RecordingFormat.readable.contains(format))
    #expect((format.makeWriter() != nil) == RecordingFormat.writable.contains(format))
    #expect(RecordingFormat(fileExtension: format.rawValue) == format)
    #expect(RecordingFormat(fileExtension: "." + format.rawValue.uppercased()) == format)
  }

  @Test(
    arguments: [
      (Array("BZh91AY&SY".utf8), "compressed with bzip2"), ([0xFD, 0x37, 0x7A, 0x58, 0x5A, 0, 4], "with xz"),
      ([0x28, 0xB5, 0x2F, 0xFD, 4], "with Zstandard"), ([0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C], "7-Zip"),
      (Array("Rar!".utf8), "RAR"), (Array(repeating: 0x61, count: 257) + Array("ustar\u{0}".utf8), "tar"),
    ] as [([UInt8], String)])
  func archivesThatAreNotReadAreNamed(opening: [UInt8], name: String) {
    let advice = opening.withUnsafeBytes { RecordingFormat.archiveAdvice(for: $0) }
    #expect(advice?.contains(name) == true && advice?.contains("unpack it") == true)
    #expect(Array("lat,lon\n1,2\n".utf8).withUnsafeBytes { RecordingFormat.archiveAdvice(for: $0) } == nil)
  }

  @Test func unknownExtensionHasNoFormat() {
    #expect(RecordingFormat(fileExtension: "svg") == nil)
    #expect(RecordingFormat(fileExtension: "") == nil)
  }

  @Test(arguments: 1...20 as ClosedRange<UInt64>) func detectionNeverCrashes(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let seeds = [Self.rmc, Self.fix, "<?xml?><!-- --><gpx>", "lat,lon\n1,2\n", "{\"type\":\"Feature\"}"]
    for _ in 0..<200 {
      _ = RecordingFormat.detect(random.mutated(Array((seeds.randomElement(using: &random) ?? "").utf8)))
    }
  }
}

@Suite(.enabled(if: SharedData.has("gpx"), "needs ../shared/data beside the package"))
struct RecordedDetectionTests {
  static let files: [(String, RecordingFormat)] =
    SharedData.files("nmea", "log").map { ($0, .nmea) } + SharedData.files("gpx", "gpx").map { ($0, .gpx) }
    + SharedData.files("truth", "csv").map { ($0, .csv) }
    + SharedData.files("fences-truth", "geojson").map { ($0, .geoJSON) }

  @Test(arguments: files) func recordedFilesAreDetected(path: String, format: RecordingFormat) throws {
    let bytes = try SharedData.bytes(path)
    #expect(RecordingFormat.detect(Array(bytes.prefix(RecordingFormat.detectionLength))) == format)
  }
}
