package import WhereaboutsFormats

/// The data that a conversion omitted, as text.
package enum OmissionText {
  /// The maximum number of unread elements that are named. Further elements are only counted.
  private static let namedLimit = 12

  /// Returns a line with the data that the format cannot hold, and one with the number of impossible values; an empty
  /// list if nothing was left out.
  package static func lines(_ omissions: Omissions, _ format: RecordingFormat, of name: String) -> [String] {
    let parts = Omissions.Kind.allCases.compactMap { kind in
      omissions[kind] > 0 && kind != .impossibleValue ? text(kind, omissions[kind]) : nil
    }
    var lines: [String] = []
    if !parts.isEmpty {
      lines.append(
        "\(name): left out, for which \(format.title) has no place: \(parts.joined(separator: ", "))")
    }
    let impossible = omissions[.impossibleValue]
    if impossible > 0 {
      let values = text(.impossibleValue, impossible)
      lines.append("\(name): left out as unknown: \(values), such as a negative accuracy")
    }
    return lines
  }

  /// Returns a line with the skipped elements of the input; `nil` if there are none.
  package static func line(_ unread: SkippedElements, of name: String) -> String? {
    guard !unread.isEmpty else { return nil }
    let counts = unread.counts.sorted { $0.count > $1.count }
    var parts = counts.prefix(namedLimit).map { "\($0.count.grouped) \($0.name.sanitizedToOneLine)" }
    let rest = counts.dropFirst(namedLimit).reduce(unread.unlistedCount) { $0 + $1.count }
    if rest > 0 { parts.append(Quantities.count(rest, "other")) }
    return "\(name): elements not read: \(parts.joined(separator: ", "))"
  }

  /// Returns a line with the number of corrected dates; `nil` if there are none.
  package static func line(movedDates count: Int) -> String? {
    guard count > 0 else { return nil }
    let dates = Quantities.count(count, "date")
    return
      "\(dates) moved by 1,024 weeks or a multiple, since the receiver lost count of them (see --not-before)"
  }

  /// Returns a line with the number of times without a zone; `nil` if there are none.
  package static func line(timesWithoutZone count: Int) -> String? {
    count == 0 ? nil : "\(Quantities.count(count, "time")) without a zone, read as UTC"
  }

  /// Returns the number of fixes without a time, which are in no time range, after a colon; an empty text for none.
  package static func untimed(_ count: Int) -> String {
    count == 0 ? "" : ": \(fixes(count)) without a time. \(remedyForMissingDates)"
  }

  /// Returns a line with the number of fixes outside of any time range, and one if no fix has a time, which the format
  /// needs; an empty list if neither holds.
  package static func untimedLines(
    _ omissions: Omissions, hasTime: Bool, outside count: Int, _ format: RecordingFormat, of name: String
  ) -> [String] {
    var lines: [String] = []
    if count > 0 { lines.append("\(name): not in the time range\(untimed(count))") }
    if !hasTime, omissions[.untimedFix] > 0 {
      lines.append("\(name): no fix has a time, which \(format.title) needs. \(remedyForMissingDates)")
    }
    return lines
  }

  /// The advice for a recording of NMEA in which no sentence has a date.
  static let remedyForMissingDates =
    "For NMEA without dates, pass --date with the date of the first sentence."

  private static func text(_ kind: Omissions.Kind, _ count: Int) -> String {
    switch kind {
    case .waypoint: Quantities.count(count, "place")
    case .route: Quantities.count(count, "route")
    case .routePoint: Quantities.count(count, "route point")
    case .emptyTrack: Quantities.count(count, "track without fixes", "tracks without fixes")
    case .emptySegment: Quantities.count(count, "segment without fixes", "segments without fixes")
    case .heading: Quantities.count(count, "heading")
    case .satellites: Quantities.count(count, "list of satellites", "lists of satellites")
    case .fixDetails: "speed, course, accuracy and quality of \(fixes(count))"
    case .climb: "climb of \(fixes(count))"
    case .satellitesInView: "satellites in view of \(fixes(count))"
    case .floor: "floor of \(fixes(count))"
    case .activity: "activity of \(fixes(count))"
    case .solution: "solution of \(fixes(count))"
    case .ellipsoidalHeight: "ellipsoidal height of \(fixes(count))"
    case .geoidalHeight: "height above the sea of \(fixes(count))"
    case .estimatedAccuracy: "estimated accuracy of \(fixes(count))"
    case .estimationMark: "estimation mark of \(fixes(count))"
    case .simulation: "simulation mark of \(fixes(count))"
    case .device: Quantities.count(count, "name of a device", "names of devices")
    case .visit: Quantities.count(count, "visit")
    case .horizontalAccuracy: "accuracy of \(fixes(count))"
    case .verticalAccuracy: "vertical accuracy of \(fixes(count))"
    case .motionAccuracies: "accuracies of speed and course of \(fixes(count))"
    case .course: "course of \(fixes(count))"
    case .mode: "mode (2D or 3D) of \(fixes(count))"
    case .satellitesUsed: "satellites used of \(fixes(count))"
    case .dilutions: "dilutions of precision of \(fixes(count))"
    case .timeFraction: "fraction of a second of \(fixes(count))"
    case .impossibleValue: Quantities.count(count, "impossible value")
    case .untimedFix: Quantities.count(count, "fix without a usable time", "fixes without a usable time")
    }
  }

  private static func fixes(_ count: Int) -> String { Quantities.count(count, "fix", "fixes") }
}
