import WhereaboutsModel

/// The properties of a point that are values of a fix, by the names of CSV columns.
struct GeoJSONPointProperties {
  /// The factor from the unit of the speed to metres per second.
  private let speedFactor: Double
  private var row = CSVRow()
  private var seen: [CSVInputColumn] = []
  /// Whether the name of the time or of the date states UTC.
  private var statesUTC = false
  /// The activity of `motion`, as Overland states it.
  private var motion: Fix.StatedActivity?
  /// Whether a property of a known name has a value of another kind.
  private(set) var hasProblem = false

  init(speedFactor: Double) { self.speedFactor = speedFactor }

  /// Reads the members of an object. The first of two with one meaning counts.
  mutating func read(_ properties: JSONItem) {
    var other: JSONItem?
    properties.forEachMember { name, value in
      let name = Self.normalized(name)
      if name == "heading" || name == "track" { other = other ?? value }
      if name == "motion" { motion = motion ?? Fix.StatedActivity(ofMotion: value) }
      guard let column = CSVInputColumn.byName[name] else { return }
      // Dawarich's positions have OwnTracks' mode of monitoring under this name.
      if column.isMember(.mode), properties.member("tracker_id") != nil { return }
      let isFirst = set(column, to: value)
      if isFirst, column == .date ? name != "date" : column.isMember(.time) && name.contains("utc") {
        statesUTC = true
      }
    }
    if let other, let course = CSVInputColumn.byName["course"] { set(course, to: other) }
  }

  /// Sets a value; returns `false` for a value that does not count.
  @discardableResult
  private mutating func set(_ column: CSVInputColumn, to value: JSONItem) -> Bool {
    switch value.kind {
    case .object, .array, .null: return false
    case .number, .flag, .text: break
    }
    if column.isMember(.latitude) || column.isMember(.longitude) { return false }
    guard !value.bytes.isEmpty, !seen.contains(where: { $0.isSameValue(as: column) }) else { return false }
    seen.append(column)
    let factor = column.isMember(.speed) ? speedFactor : 1
    if !row.set(column, to: value.bytes, factor: factor, hasDecimalComma: false) { hasProblem = true }
    return true
  }

  /// Returns a name in lower case without other characters than letters and digits.
  private static func normalized(_ name: UnsafeRawBufferPointer) -> String {
    String(decoding: name.prefix(64), as: UTF8.self).lowercased().filter { $0.isLetter || $0.isNumber }
  }

  /// Combines the parts of the time; `false` if a part is unreadable.
  mutating func readTime() -> Bool { row.readTime(isUTC: statesUTC) }

  /// Whether the time is a text without a zone, which may be a local time; known after ``readTime()``.
  var hasTimeWithoutZone: Bool { row.isTimeWithoutZone && !statesUTC }

  /// The minutes ahead of UTC that the point states; known after ``readTime()``.
  var offset: Int? { row.offset }

  /// Returns the fix at a position.
  func fix(at position: GeoJSONPosition) -> Fix {
    var fix = row.fix(at: position.coordinate)
    if fix.source == .csv { fix.source = .geoJSON }
    fix.time = fix.time ?? position.time
    fix.heightAboveEllipsoid = fix.heightAboveEllipsoid ?? position.height
    fix.activity = fix.activity ?? motion
    return fix
  }
}

extension Fix.StatedActivity {
  /// Creates the activity of a list of words, or of one, as ``init(words:)`` does; `nil` if none of them is known.
  fileprivate init?(ofMotion item: JSONItem) {
    var found = item.withText { Fix.StatedActivity(word: $0) }
    item.forEachElement { element in
      guard let activity = element.withText({ Fix.StatedActivity(word: $0) }) else { return }
      if found == nil || found == .still { found = activity }
    }
    guard let found else { return nil }
    self = found
  }
}
