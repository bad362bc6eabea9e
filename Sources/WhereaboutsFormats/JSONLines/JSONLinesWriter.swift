import WhereaboutsModel
import WhereaboutsGeodesy

/// A writer of fixes as JSON lines: one object in the form that `Fix.CodingKeys` documents, then a line feed.
///
/// The keys and values are those of the `Codable` form, in the documented order, without spaces. Numbers are the
/// shortest decimals that read back as the same value. Impossible ones, as a negative accuracy, are left out.
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

  /// Creates a writer at the beginning of a recording.
  public init() {}

  /// Appends a fix as a line.
  public mutating func write(_ element: RecordingElement, to bytes: inout [UInt8]) {
    switch element {
    case .fix(var fix):
      elementOmissions.removeImpossibleValues(of: &fix)
      bytes.appendJSON(fix, numbering)
      bytes.append(UInt8(ascii: "\n"))
      numbering.didWriteFix()
    case .trackBegan(let name): numbering.beginTrack(name: name)
    case .segmentBegan: numbering.beginSegment()
    case .waypoint, .routeBegan, .routePoint, .heading, .satellites, .deviceBegan, .visit, .offset:
      elementOmissions.count(element)
    }
  }

  /// Appends nothing: each line is complete.
  public func finish(to bytes: inout [UInt8]) {}
}

extension [UInt8] {
  fileprivate mutating func appendJSON(_ fix: Fix, _ numbering: SegmentNumbering) {
    append(UInt8(ascii: "{"))
    appendJSONMembers(of: fix, .plain)
    if numbering.track > 0 { appendJSONMember("trackNumber", numbering.track) }
    if numbering.segment > 0 { appendJSONMember("segment", numbering.segment) }
    appendJSONMember("trackName", numbering.unwrittenName)
    append(UInt8(ascii: "}"))
  }
}
