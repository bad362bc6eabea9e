import WhereaboutsCore
import WhereaboutsGeodesy

/// Writes fixes as CSV: a header, then one row for each fix, separated by commas.
///
/// The columns are always these; a value that is absent leaves its field empty:
///
/// | columns | unit |
/// | --- | --- |
/// | `time` | RFC 3339, UTC |
/// | `lat`, `lon` | degrees, WGS 84 |
/// | `hacc`, `speed`, `course` | m at 68 %, m/s, degrees from true north |
/// | `alt`, `altHAE` | m above the geoid, m above the ellipsoid |
/// | `vacc`, `speedAcc`, `courseAcc` | m, m/s, degrees, each at 68 % |
/// | `climb` | m/s, up positive |
/// | `mode`, `status` | 2 or 3, how the solution came about |
/// | `used`, `seen` | satellites |
/// | `hdop`, `vdop`, `pdop` | dilutions of precision |
/// | `estimated`, `source`, `simulated` | `true` or empty, what kind of source, `true` or empty |
///
/// ``CSVDecoder`` reads the same fixes back. Everything but fixes is left out. Numbers are the shortest decimals that
/// read back as the same value; one that is not finite is left out. Writing a fix allocates nothing once the array has
/// room.
public struct CSVWriter: RecordingWriter, Sendable {
  private var hasHeader = false

  /// A writer at the beginning of a recording.
  public init() {}

  /// Appends a fix as a row, after the header where it is the first; any other element is left out.
  public mutating func write(_ element: RecordingElement, to bytes: inout [UInt8]) {
    guard case .fix(let fix) = element else { return }
    writeHeader(to: &bytes)
    bytes.appendCSV(fix)
  }

  /// Appends the header of a recording that had no fix.
  public mutating func finish(to bytes: inout [UInt8]) {
    writeHeader(to: &bytes)
  }

  private mutating func writeHeader(to bytes: inout [UInt8]) {
    guard !hasHeader else { return }
    hasHeader = true
    bytes.append("time,lat,lon,hacc,speed,course,alt,altHAE,vacc,speedAcc,courseAcc,climb,")
    bytes.append("mode,status,used,seen,hdop,vdop,pdop,estimated,source,simulated\n")
  }
}

extension [UInt8] {
  fileprivate mutating func appendCSV(_ fix: Fix) {
    fix.time?.appendISO8601(to: &self)
    append(",")
    appendShortest(fix.coordinate.latitude)
    append(",")
    appendShortest(fix.coordinate.longitude)
    appendField(fix.horizontalAccuracy)
    appendField(fix.speed)
    appendField(fix.course)
    appendField(fix.heightAboveGeoid)
    appendField(fix.heightAboveEllipsoid)
    appendField(fix.verticalAccuracy)
    appendField(fix.speedAccuracy)
    appendField(fix.courseAccuracy)
    appendField(fix.climb)
    appendField(fix.mode?.rawValue)
    append(",")
    if let solution = fix.solution { append(solution.jsonText) }
    appendField(fix.satellitesUsed)
    appendField(fix.satellitesInView)
    appendField(fix.horizontalDilution)
    appendField(fix.verticalDilution)
    appendField(fix.positionDilution)
    append(fix.isAccuracyEstimated ? ",true," : ",,")
    append(fix.source.jsonText)
    append(fix.isSimulated ? ",true\n" : ",\n")
  }

  private mutating func appendField(_ value: Double?) {
    append(",")
    if let value, value.isFinite { appendShortest(value) }
  }

  private mutating func appendField(_ value: Float?) {
    append(",")
    if let value, value.isFinite { appendShortest(value) }
  }

  private mutating func appendField(_ value: UInt8?) {
    append(",")
    if let value { appendDecimal(Int(value)) }
  }
}
