import WhereaboutsModel
import WhereaboutsGeodesy

/// A writer of fixes as CSV: a header, then one row for each fix, separated by commas.
///
/// The columns are always these; an absent value leaves its field empty:
///
/// | columns | unit |
/// | --- | --- |
/// | `time` | RFC 3339, UTC |
/// | `lat`, `lon` | degrees, WGS 84 |
/// | `hacc`, `speed`, `course` | m at 68 %, m/s, degrees from true north |
/// | `alt`, `altHAE` | m above the geoid, m above the ellipsoid |
/// | `vacc`, `speedAcc`, `courseAcc` | m, m/s, degrees, each at 68 % |
/// | `climb` | m/s, up positive |
/// | `mode`, `status` | 2 or 3, the kind of solution |
/// | `used`, `seen` | satellites |
/// | `hdop`, `vdop`, `pdop` | dilutions of precision |
/// | `floor` | the storey, 0 for the ground floor |
/// | `activity` | the activity that the source states |
/// | `estimated`, `source`, `simulated` | `true` or empty, the kind of source, `true` or empty |
/// | `trackNumber`, `segment` | the track and its segment, counted from 1; empty before the first |
/// | `trackName` | the name of the track, at its first fix |
///
/// ``CSVDecoder`` reads the same fixes, tracks and segments back. Everything else is left out and counted in
/// ``omissions``, as are tracks and segments without a fix. Numbers are the shortest decimals that read back as the
/// same value; impossible ones are left out. Writing a fix allocates nothing once the array has room.
public struct CSVWriter: RecordingWriter, Sendable {
  private var hasHeader = false
  private var numbering = SegmentNumbering()
  private var elementOmissions = Omissions()

  /// The values and elements left out so far.
  public var omissions: Omissions { elementOmissions.adding(numbering) }

  /// Creates a writer at the beginning of a recording.
  public init() {}

  /// Appends a fix as a row, after the header if the fix is the first.
  public mutating func write(_ element: RecordingElement, to bytes: inout [UInt8]) {
    switch element {
    case .fix(var fix):
      elementOmissions.removeImpossibleValues(of: &fix)
      writeHeader(to: &bytes)
      bytes.appendCSV(fix)
      bytes.appendCSV(numbering)
      numbering.didWriteFix()
    case .trackBegan(let name): numbering.beginTrack(name: name)
    case .segmentBegan: numbering.beginSegment()
    case .waypoint, .routeBegan, .routePoint, .heading, .satellites, .deviceBegan, .visit, .offset:
      elementOmissions.count(element)
    }
  }

  /// Appends the header of a recording that had no fix.
  public mutating func finish(to bytes: inout [UInt8]) {
    writeHeader(to: &bytes)
  }

  private mutating func writeHeader(to bytes: inout [UInt8]) {
    guard !hasHeader else { return }
    hasHeader = true
    for member in CSVWriter.columns {
      let names = member.csvNames.description
      bytes.append(contentsOf: names.prefix { $0 != " " }.utf8)
      bytes.append(",")
    }
    bytes.append("trackNumber,segment,trackName\n")
  }

  /// The written members: the usual columns of a track first, and the origin of the values last.
  fileprivate static let columns: [FixMember] = {
    let first: [Fix.CodingKeys] = [
      .time, .latitude, .longitude, .horizontalAccuracy, .speed, .course, .heightAboveGeoid,
      .heightAboveEllipsoid, .verticalAccuracy, .speedAccuracy, .courseAccuracy, .climb,
    ]
    let last: [Fix.CodingKeys] = [.isAccuracyEstimated, .source, .isSimulated]
    let others = Fix.CodingKeys.allCases.filter { !first.contains($0) && !last.contains($0) }
    return (first + others + last).compactMap { key in FixMember.all.first { $0.key == key } }
  }()
}

extension [UInt8] {
  fileprivate mutating func appendCSV(_ fix: Fix) {
    for member in CSVWriter.columns {
      switch member.property {
      case .time: fix.time?.appendISO8601(to: &self)
      case .latitude: appendShortest(fix.coordinate.latitude)
      case .longitude: appendShortest(fix.coordinate.longitude)
      case .mode: appendValue(fix.mode?.rawValue)
      case .solution: if let solution = fix.solution { append(solution.jsonText) }
      case .activity: if let activity = fix.activity { append(activity.jsonText) }
      case .source: append(fix.source.jsonText)
      case .double(let property):
        if let value = property.value(in: fix), value.isFinite { appendShortest(value) }
      case .float(let property):
        if let value = property.value(in: fix), value.isFinite { appendShortest(value) }
      case .count(let property): appendValue(property.value(in: fix))
      case .whole(let property): appendValue(property.value(in: fix))
      case .flag(let property): if property.value(in: fix) { append("true") }
      }
      append(UInt8(ascii: ","))
    }
  }

  private mutating func appendValue(_ value: (some FixedWidthInteger)?) {
    if let value { appendDecimal(Int(value)) }
  }

  fileprivate mutating func appendCSV(_ numbering: SegmentNumbering) {
    if numbering.track > 0 { appendDecimal(numbering.track) }
    append(",")
    if numbering.segment > 0 { appendDecimal(numbering.segment) }
    append(",")
    if let name = numbering.unwrittenName { appendQuotedCSV(name) }
    append("\n")
  }

  /// Appends text between quotes, those within it doubled.
  private mutating func appendQuotedCSV(_ text: String) {
    append("\"")
    for byte in text.utf8 {
      if byte == UInt8(ascii: "\"") { append(byte) }
      append(byte)
    }
    append("\"")
  }
}
