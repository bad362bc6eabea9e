import WhereaboutsModel
import WhereaboutsGeodesy

extension Coordinate {
  /// The longitude in degrees, from −180 to below 180: the schema of GPX 1.1 has −180 and not 180, the same meridian.
  fileprivate var longitudeOfGPX: Double { longitude == 180 ? -180 : longitude }
}

/// Points of a GPX document; their children in the order of the schema.
extension [UInt8] {
  mutating func appendTrackPoint(_ fix: Fix, _ version: GPXWriter.Version) {
    // The marks have 45 bytes, the three numbers 32 each at most, and the time 30.
    appendText(capacity: 192) { text in
      text.append("<trkpt lat=\"")
      text.appendPlain(fix.coordinate.latitude)
      text.append("\" lon=\"")
      text.appendPlain(fix.coordinate.longitudeOfGPX)
      text.append("\">")
      // Beyond this a decimal would need an exponent, and nothing that is measured is so large.
      if let height = fix.heightAboveGeoid, height.magnitude < 1e15 {
        text.append("<ele>")
        text.appendPlain(height)
        text.append("</ele>")
      }
      if let time = fix.time {
        text.append("<time>")
        text.append(time)
        text.append("</time>")
      }
    }
    if version == .v1_0 {
      appendElement("course", fix.course)
      appendElement("speed", fix.speed)
    }
    if let separation = fix.geoidSeparation {
      appendElement("geoidheight", (separation * 10_000).rounded() / 10_000)
    }
    if let text = fix.gpxFix {
      append("<fix>")
      append(text)
      append("</fix>")
    }
    if let used = fix.satellitesUsed { appendElement("sat", Double(used)) }
    appendElement("hdop", fix.horizontalDilution)
    appendElement("vdop", fix.verticalDilution)
    appendElement("pdop", fix.positionDilution)
    switch version {
    case .v1_0: appendAccuracies(of: fix)
    case .v1_1: appendExtensions(of: fix)
    }
    append("</trkpt>\n")
  }

  mutating func appendWaypoint(_ place: Waypoint, as element: StaticString) {
    appendOpening(element, place.coordinate)
    appendElement("ele", place.heightAboveGeoid)
    appendElement("time", place.time)
    appendElement("name", place.name)
    append("</")
    append(element)
    append(">\n")
  }

  private mutating func appendExtensions(of fix: Fix) {
    let hasMotion = fix.speed != nil || fix.course != nil
    let hasAccuracy =
      fix.speedAccuracy != nil || fix.courseAccuracy != nil
      || (!fix.isAccuracyEstimated && (fix.horizontalAccuracy != nil || fix.verticalAccuracy != nil))
    guard hasMotion || hasAccuracy else { return }
    append("<extensions>")
    if hasMotion {
      append("<gpxtpx:TrackPointExtension>")
      appendElement("gpxtpx:speed", fix.speed)
      appendElement("gpxtpx:course", fix.course)
      append("</gpxtpx:TrackPointExtension>")
    }
    appendAccuracies(of: fix)
    append("</extensions>")
  }

  private mutating func appendAccuracies(of fix: Fix) {
    if !fix.isAccuracyEstimated {
      appendElement("acc:hacc", fix.horizontalAccuracy)
      appendElement("acc:vacc", fix.verticalAccuracy)
    }
    appendElement("acc:sacc", fix.speedAccuracy)
    appendElement("acc:cacc", fix.courseAccuracy)
  }

  private mutating func appendOpening(_ element: StaticString, _ coordinate: Coordinate) {
    append("<")
    append(element)
    append(" lat=\"")
    appendPosition(coordinate)
  }

  private mutating func appendPosition(_ coordinate: Coordinate) {
    appendPlain(coordinate.latitude)
    append("\" lon=\"")
    appendPlain(coordinate.longitudeOfGPX)
    append("\">")
  }

  private mutating func appendElement(_ name: StaticString, _ value: Double?) {
    // Beyond this a decimal would need an exponent, and nothing that is measured is so large.
    guard let value, value.magnitude < 1e15 else { return }
    appendElement(name) { $0.appendPlain(value) }
  }

  private mutating func appendElement(_ name: StaticString, _ value: Float?) {
    guard let value, value.magnitude < 1e6, value.magnitude >= 0.001 else { return }
    appendElement(name) { $0.appendShortest(value) }
  }

  private mutating func appendElement(_ name: StaticString, _ value: UTCTime?) {
    guard let value else { return }
    appendElement(name) { value.appendISO8601(to: &$0) }
  }

  mutating func appendElement(_ name: StaticString, _ text: String?) {
    guard let text else { return }
    appendElement(name) { $0.appendXML(text) }
  }

  private mutating func appendElement(_ name: StaticString, _ body: (inout [UInt8]) -> Void) {
    append("<")
    append(name)
    append(">")
    body(&self)
    append("</")
    append(name)
    append(">")
  }

  /// Appends a number that is not too large as a decimal without an exponent.
  mutating func appendPlain(_ value: Double) {
    appendText(capacity: StackText.numberCapacity) { $0.appendPlain(value) }
  }

  /// Appends text with the marks of XML escaped and without the characters that it can't have.
  mutating func appendXML(_ text: String) {
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": append("&amp;")
      case "<": append("&lt;")
      case ">": append("&gt;")
      case "\"": append("&quot;")
      // A reader turns these into spaces or line feeds unless they are written so.
      case "\r": append("&#13;")
      case "\t", "\n": append(UInt8(scalar.value))
      case "\0"..<" ", "\u{FFFE}", "\u{FFFF}": break
      default: append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
      }
    }
  }
}

extension Omissions {
  /// Counts a fix's values without a GPX element, except the activity, which is one of the track.
  ///
  /// The source is not counted: fixes read from GPX have GPX as their source.
  mutating func count(valuesWithoutGPXOf fix: Fix) {
    if fix.climb != nil { count(.climb) }
    if fix.satellitesInView != nil { count(.satellitesInView) }
    if fix.floor != nil { count(.floor) }
    if fix.isSimulated { count(.simulation) }
    if fix.heightAboveEllipsoid != nil, fix.heightAboveGeoid == nil { count(.ellipsoidalHeight) }
    if fix.isAccuracyEstimated, fix.horizontalDilution == nil, fix.horizontalAccuracy != nil {
      count(.estimatedAccuracy)
    }
    if fix.isAccuracyEstimated, fix.verticalDilution == nil, fix.verticalAccuracy != nil {
      count(.verticalAccuracy)
    }
    // `fix` has one word for the solution and the mode.
    if fix.mode == .threeD, fix.hasSolutionInGPX { count(.mode) }
    switch fix.solution {
    case nil: break
    case .differential, .precise: if fix.mode == .twoD { count(.solution) }
    default: count(.solution)
    }
  }
}

extension Fix {
  /// Whether GPX's text for the fix names its solution, and not its mode.
  fileprivate var hasSolutionInGPX: Bool {
    switch solution {
    case .precise, .differential, .rtkFixed, .rtkFloat: true
    default: false
    }
  }

  /// Returns GPX's text for the solution or the mode of a fix, or `nil` if both are unknown.
  ///
  /// Readers take the names of solutions for three dimensions, so two dimensions count more.
  fileprivate var gpxFix: StaticString? {
    if mode == .twoD { return "2d" }
    return switch solution {
    case .precise: "pps"
    case .differential, .rtkFixed, .rtkFloat: "dgps"
    default: mode == .threeD ? "3d" : nil
    }
  }
}
