public import WhereaboutsModel
import WhereaboutsGeodesy

/// A writer of GPX, element by element: a document that is valid by its schema, 1.1 unless 1.0 is chosen.
///
/// GPX 1.1 has no place for speed and course, which go into Garmin's TrackPointExtension v2. GPX 1.0 has elements for
/// them, which more programs read (GPSBabel and gpxpy read no other). Stated accuracies go into an extension of our
/// own, `hacc`, `vacc`, `sacc` and `cacc`. Estimated ones are left out, since their dilutions are written.
/// ``GPXDecoder`` reads all of that back.
///
/// - **Order**: the schema requires waypoints, then routes, then tracks. The writer holds no places back, so an element
///   that comes too late is left out. Documents that were read have this order.
/// - **Tracks**: a fix without a track or segment begins one without a name.
/// - **Activities**: GPX 1.1 has one, the `type` of a track, which comes before its fixes. A track whose fixes all
///   state one activity is held until the track ends, some 250 bytes a fix, up to 50,000 fixes.
///   Activities of other tracks are left out.
/// - **Heights**: `ele` is the height above the geoid; with both heights known, `geoidheight` is their difference to
///   0.1 mm. A height above the ellipsoid alone is left out.
/// - **`fix`**: `2d` for a fix in two dimensions, else `dgps` and `pps` for the solutions they name (RTK is `dgps` too),
///   otherwise the mode.
/// - **Numbers** are decimals without exponents, as the schema requires. They are exact; below 10⁻¹² they are 0.
///   A longitude of 180° is written as −180°, since the schema of GPX 1.1 has no 180.
///
/// Left out are headings, satellites, and of a fix its source, the simulated mark, its climb and floor,
/// and the satellites in view. ``omissions`` counts the omitted values, except the source. Characters that XML can't
/// have are removed from names. Writing a fix allocates nothing once the array has room.
public struct GPXWriter: RecordingWriter, Sendable {
  private enum State: Int, Comparable {
    case beginning, waypoints, routes, tracks
    static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
  }

  /// The version of GPX that a document is written in.
  public enum Version: String, Hashable, Sendable, CaseIterable {
    /// GPX 1.0.
    case v1_0 = "1.0"
    /// GPX 1.1.
    case v1_1 = "1.1"
  }

  private let version: Version
  private let maximumHeldFixes: Int
  /// The program that the document names as its creator.
  private let creator: String
  private var state = State.beginning
  private var isInRoute = false
  private var isInTrack = false
  private var isInSegment = false
  /// The text of the track after its name, while the track is held: its type, which comes before it, is not certain.
  private var heldText: [UInt8] = []
  private var isTrackHeld = false
  /// The activity of all fixes in the held text, and their number.
  private var heldActivity: Fix.StatedActivity?
  private var heldFixCount = 0
  /// The number of segments in the held text, with and without fixes.
  private var heldSegmentCount = 0

  /// The values and elements left out so far.
  public private(set) var omissions = Omissions()

  /// Creates a writer at the beginning of a document.
  ///
  /// - Parameters:
  ///   - version: the version of GPX.
  ///   - creator: the program that the document names as its creator.
  public init(version: Version = .v1_1, creator: String = "Whereabouts") {
    self.init(version: version, creator: creator, maximumHeldFixes: 50_000)
  }

  /// - Parameter maximumHeldFixes: the greatest number of fixes, and of segments, of a track that are held. A track with
  ///   more of them has no type. With 0 nothing is held, and no track has a type.
  package init(
    version: Version = .v1_1, creator: String = "Whereabouts", maximumHeldFixes: Int
  ) {
    self.version = version
    self.creator = creator
    self.maximumHeldFixes = maximumHeldFixes
  }

  /// Appends a track point.
  public mutating func write(_ fix: Fix, to bytes: inout [UInt8]) {
    // Only a fix that is changed is copied.
    guard fix.hasUnknownValue else { return append(fix, to: &bytes) }
    var known = fix
    omissions.removeImpossibleValues(of: &known)
    append(known, to: &bytes)
  }

  private mutating func append(_ fix: Fix, to bytes: inout [UInt8]) {
    advance(to: .tracks, &bytes)
    if !isInTrack { beginTrack(named: nil, &bytes) }
    if !isInSegment { beginSegment(&bytes) }
    if isTrackHeld || fix.activity != nil { processActivity(of: fix, &bytes) }
    // No closure, which would copy the fix.
    if isTrackHeld {
      heldText.appendTrackPoint(fix, version)
    } else {
      bytes.appendTrackPoint(fix, version)
    }
    omissions.count(valuesWithoutGPXOf: fix)
  }

  /// Appends an element, after closing the elements that it ends.
  public mutating func write(_ element: RecordingElement, to bytes: inout [UInt8]) {
    switch element {
    case .fix(let fix): write(fix, to: &bytes)
    case .trackBegan(let name):
      advance(to: .tracks, &bytes)
      beginTrack(named: name, &bytes)
    case .segmentBegan:
      advance(to: .tracks, &bytes)
      if !isInTrack { beginTrack(named: nil, &bytes) }
      beginSegment(&bytes)
    case .waypoint(let place):
      guard state <= .waypoints else { return omissions.count(element) }
      advance(to: .waypoints, &bytes)
      bytes.appendWaypoint(place, as: "wpt")
    case .routeBegan(let name):
      guard state <= .routes else { return omissions.count(element) }
      advance(to: .routes, &bytes)
      beginRoute(named: name, &bytes)
    case .routePoint(let place):
      guard state <= .routes else { return omissions.count(element) }
      advance(to: .routes, &bytes)
      if !isInRoute { beginRoute(named: nil, &bytes) }
      bytes.appendWaypoint(place, as: "rtept")
    case .heading, .satellites, .deviceBegan, .visit, .offset: omissions.count(element)
    }
  }

  /// Appends the end of the document.
  public mutating func finish(to bytes: inout [UInt8]) {
    advance(to: .tracks, &bytes)
    endTrack(&bytes)
    bytes.append("</gpx>\n")
  }

  private mutating func advance(to next: State, _ bytes: inout [UInt8]) {
    guard state < next else { return }
    if state == .beginning { writeHeader(&bytes) }
    if next > .routes { endRoute(&bytes) }
    state = next
  }

  private func writeHeader(_ bytes: inout [UInt8]) {
    bytes.append("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<gpx version=\"")
    bytes.append(contentsOf: version.rawValue.utf8)
    bytes.append("\" creator=\"")
    bytes.appendXML(creator)
    switch version {
    case .v1_0: writeNamespaces1_0(&bytes)
    case .v1_1: writeNamespaces1_1(&bytes)
    }
  }

  private func writeNamespaces1_0(_ bytes: inout [UInt8]) {
    bytes.append(
      """
      " xmlns="http://www.topografix.com/GPX/1/0" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" \
      xmlns:acc="urn:x-whereabouts:accuracy:1" \
      xsi:schemaLocation="http://www.topografix.com/GPX/1/0 http://www.topografix.com/GPX/1/0/gpx.xsd">

      """)
  }

  private func writeNamespaces1_1(_ bytes: inout [UInt8]) {
    bytes.append(
      """
      " xmlns="http://www.topografix.com/GPX/1/1" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" \
      xmlns:gpxtpx="http://www.garmin.com/xmlschemas/TrackPointExtension/v2" xmlns:acc="urn:x-whereabouts:accuracy:1" \
      xsi:schemaLocation="http://www.topografix.com/GPX/1/1 http://www.topografix.com/GPX/1/1/gpx.xsd \
      http://www.garmin.com/xmlschemas/TrackPointExtension/v2 \
      http://www.garmin.com/xmlschemas/TrackPointExtensionv2.xsd">

      """)
  }

  private mutating func beginTrack(named name: String?, _ bytes: inout [UInt8]) {
    endTrack(&bytes)
    isInTrack = true
    bytes.append("<trk>")
    bytes.appendElement("name", name)
    isTrackHeld = version == .v1_1
    appendToTrack(&bytes) { $0.append("\n") }
  }

  private mutating func endTrack(_ bytes: inout [UInt8]) {
    endSegment(&bytes)
    releaseTrack(&bytes, type: heldActivity)
    if isInTrack { bytes.append("</trk>\n") }
    isInTrack = false
  }

  private mutating func beginSegment(_ bytes: inout [UInt8]) {
    endSegment(&bytes)
    isInSegment = true
    appendToTrack(&bytes) { $0.append("<trkseg>\n") }
    guard isTrackHeld else { return }
    heldSegmentCount += 1
    // Segments without fixes are not held without limit.
    if heldSegmentCount > maximumHeldFixes { releaseTrackWithoutType(&bytes) }
  }

  private mutating func endSegment(_ bytes: inout [UInt8]) {
    if isInSegment { appendToTrack(&bytes) { $0.append("</trkseg>\n") } }
    isInSegment = false
  }

  // MARK: The type of a track

  /// Appends text of a track, after the held text if the track is held.
  private mutating func appendToTrack(_ bytes: inout [UInt8], _ write: (inout [UInt8]) -> Void) {
    if isTrackHeld { write(&heldText) } else { write(&bytes) }
  }

  /// Holds the track while all its fixes state one activity. Otherwise releases it and counts the activities.
  private mutating func processActivity(of fix: Fix, _ bytes: inout [UInt8]) {
    if isTrackHeld, let activity = fix.activity, heldFixCount < maximumHeldFixes,
      heldActivity == nil || heldActivity == activity
    {
      heldActivity = activity
      heldFixCount += 1
      return
    }
    releaseTrackWithoutType(&bytes)
    if fix.activity != nil { omissions.count(.activity) }
  }

  /// Appends the held text of the track, and counts the activities in it.
  private mutating func releaseTrackWithoutType(_ bytes: inout [UInt8]) {
    omissions.count(.activity, heldFixCount)
    releaseTrack(&bytes, type: nil)
  }

  /// Appends the held text of the track, after the type of the track if there is one.
  private mutating func releaseTrack(_ bytes: inout [UInt8], type activity: Fix.StatedActivity?) {
    guard isTrackHeld else { return }
    if let activity {
      bytes.append("<type>")
      bytes.append(activity.jsonText)
      bytes.append("</type>")
    }
    bytes += heldText
    heldText.removeAll(keepingCapacity: true)
    isTrackHeld = false
    heldActivity = nil
    heldFixCount = 0
    heldSegmentCount = 0
  }

  private mutating func beginRoute(named name: String?, _ bytes: inout [UInt8]) {
    endRoute(&bytes)
    isInRoute = true
    bytes.append("<rte>")
    bytes.appendElement("name", name)
    bytes.append("\n")
  }

  private mutating func endRoute(_ bytes: inout [UInt8]) {
    if isInRoute { bytes.append("</rte>\n") }
    isInRoute = false
  }
}
