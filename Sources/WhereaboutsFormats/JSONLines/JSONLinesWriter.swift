package import WhereaboutsModel
import WhereaboutsGeodesy

/// A writer of fixes as JSON lines: one object in the form that `Fix.CodingKeys` documents, then a line feed.
///
/// The keys and values are those of the `Codable` form, in the documented order, without spaces. Numbers are the
/// shortest decimals that read back as the same value. A number that is not finite is left out, since JSON has none.
/// With tracks and segments, each fix has `trackNumber` and `segment` too, counted from 1 (segments in each track
/// anew). The first fix of a named track has `trackName`. ``JSONLinesDecoder`` reads them back. Everything else is
/// left out and counted in ``omissions``, as are tracks and segments without a fix.
///
/// Writing a fix allocates nothing once the array has room.
public struct JSONLinesWriter: RecordingWriter, Sendable {
  private var numbering = SegmentNumbering()
  private var elementOmissions = Omissions()

  /// The values and elements left out so far.
  public var omissions: Omissions { elementOmissions.adding(numbering) }

  /// A writer at the beginning of a recording.
  public init() {}

  /// Appends a fix as a line.
  public mutating func write(_ element: RecordingElement, to bytes: inout [UInt8]) {
    switch element {
    case .fix(let fix):
      bytes.appendJSON(fix, numbering)
      bytes.append(UInt8(ascii: "\n"))
      numbering.didWriteFix()
    case .trackBegan(let name): numbering.beginTrack(name: name)
    case .segmentBegan: numbering.beginSegment()
    case .waypoint, .routeBegan, .routePoint, .heading, .satellites: elementOmissions.count(element)
    }
  }

  /// Appends nothing: each line is complete.
  public func finish(to bytes: inout [UInt8]) {}
}

extension [UInt8] {
  /// Appends a fix as one JSON object, without a line feed.
  package mutating func appendJSON(_ fix: Fix) { appendJSON(fix, SegmentNumbering()) }

  fileprivate mutating func appendJSON(_ fix: Fix, _ numbering: SegmentNumbering) {
    append(UInt8(ascii: "{"))
    if let time = fix.time {
      append("\"time\":\"")
      time.appendISO8601(to: &self)
      append("\",")
    }
    append("\"lat\":")
    appendShortest(fix.coordinate.latitude)
    append(",\"lon\":")
    appendShortest(fix.coordinate.longitude)
    appendMeasurements(of: fix)
    appendSolution(of: fix)
    append(",\"source\":")
    appendQuoted(fix.source.jsonText)
    if fix.isSimulated { append(",\"simulated\":true") }
    if numbering.track > 0 {
      append(",\"trackNumber\":")
      appendDecimal(numbering.track)
    }
    if numbering.segment > 0 {
      append(",\"segment\":")
      appendDecimal(numbering.segment)
    }
    if let name = numbering.unwrittenName {
      append(",\"trackName\":")
      appendJSONString(name)
    }
    append(UInt8(ascii: "}"))
  }

  private mutating func appendMeasurements(of fix: Fix) {
    appendMember(",\"hacc\":", fix.horizontalAccuracy)
    appendMember(",\"vacc\":", fix.verticalAccuracy)
    if fix.isAccuracyEstimated { append(",\"estimated\":true") }
    appendMember(",\"alt\":", fix.heightAboveGeoid)
    appendMember(",\"altHAE\":", fix.heightAboveEllipsoid)
    appendMember(",\"speed\":", fix.speed)
    appendMember(",\"speedAcc\":", fix.speedAccuracy)
    appendMember(",\"track\":", fix.course)
    appendMember(",\"trackAcc\":", fix.courseAccuracy)
    appendMember(",\"climb\":", fix.climb)
  }

  private mutating func appendSolution(of fix: Fix) {
    if let mode = fix.mode {
      append(",\"mode\":")
      appendDecimal(Int(mode.rawValue))
    }
    if let solution = fix.solution {
      append(",\"status\":")
      appendQuoted(solution.jsonText)
    }
    appendMember(",\"used\":", fix.satellitesUsed)
    appendMember(",\"seen\":", fix.satellitesInView)
    appendMember(",\"hdop\":", fix.horizontalDilution)
    appendMember(",\"vdop\":", fix.verticalDilution)
    appendMember(",\"pdop\":", fix.positionDilution)
  }

  private mutating func appendMember(_ key: StaticString, _ value: Double?) {
    guard let value, value.isFinite else { return }
    append(key)
    appendShortest(value)
  }

  private mutating func appendMember(_ key: StaticString, _ value: Float?) {
    guard let value, value.isFinite else { return }
    append(key)
    appendShortest(value)
  }

  private mutating func appendMember(_ key: StaticString, _ value: UInt8?) {
    guard let value else { return }
    append(key)
    appendDecimal(Int(value))
  }

  private mutating func appendQuoted(_ text: StaticString) {
    append(UInt8(ascii: "\""))
    append(text)
    append(UInt8(ascii: "\""))
  }
}
