import WhereaboutsModel

/// A reader of the lines that gpsd sent and another program saved, such as `gpspipe -w`.
///
/// The positions and headings of one receiver are read: of the first that has a position. Positions of other receivers
/// are counted.
struct GPSDLogReader: Sendable {
  /// The classes of gpsd's objects.
  private static let classes: [StaticString] = [
    "TPV", "SKY", "ATT", "VERSION", "DEVICES", "DEVICE", "WATCH", "POLL", "ERROR", "GST", "TOFF", "PPS",
    "OSC", "IMU", "RAW", "AIS", "RTCM2", "RTCM3", "SUBFRAME",
  ]

  private var reader = GPSDLineReader()
  private var reports = GPSDBatch()
  /// The path of the receiver that is read, empty if gpsd states none; `nil` before the first position.
  private var device: String?

  /// Returns whether a text begins with one of gpsd's objects. Their first member is the class.
  static func beginsWithReport(_ text: UnsafeRawBufferPointer) -> Bool {
    var scanner = JSONScanner(text)
    guard scanner.accept("{"), let key = scanner.key(), scanner.peek() == UInt8(ascii: "\""),
      UnsafeRawBufferPointer(rebasing: text[key.range]).equals("class"), let name = scanner.string()
    else { return false }
    let bytes = UnsafeRawBufferPointer(rebasing: text[name.range])
    return classes.contains { bytes.equals($0) }
  }

  mutating func read(_ line: TextLine, into batch: inout RecordingBatch) {
    reports.removeAll()
    reports.problems = ProblemLog()
    reader.read(line, into: &reports)
    if reports.problems.total > 0 { batch.problems.append(reports.problems, part: nil) }
    for report in reports.reports {
      switch report {
      case .fix(let fix, let owner):
        if device == nil { device = owner ?? "" }
        if device == owner ?? "" {
          batch.elements.append(.fix(fix))
        } else {
          batch.skippedElements.count("fix of another receiver")
        }
      case .heading(let heading, let owner) where device == nil || device == owner ?? "":
        batch.elements.append(.heading(heading))
      default: break
      }
    }
  }
}
