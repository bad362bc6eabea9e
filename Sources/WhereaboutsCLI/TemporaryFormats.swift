import WhereaboutsCore
import WhereaboutsFormats
enum RecordingFormat: String, CaseIterable, Sendable {
  case nmea, gpx, csv, geojson, jsonl
  static func detect(_ b: UnsafeRawBufferPointer) -> RecordingFormat? {
    b.contains(UInt8(ascii: "$")) ? .nmea : nil
  }
  init?(fileExtension: String) { self.init(rawValue: fileExtension) }
}
import ArgumentParser
enum OutputFormat: String, CaseIterable, ExpressibleByArgument {
  case jsonl
  init(forPath: String?) throws { self = .jsonl }
  func writer() -> any RecordingWriter { JSONLinesWriter() }
}
