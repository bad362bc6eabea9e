import WhereaboutsModel

/// The columns of a track, found from the header.
struct CSVHeader {
  /// The column of each field of a row; `nil` for unknown columns.
  private(set) var columns: [CSVInputColumn?] = []
  /// The factor for each field's number; 1 for all but speeds and heights in other units.
  private(set) var factors: [Double] = []
  /// Whether the name of the column of the time or of the date states UTC.
  private(set) var statesUTC = false
  /// The order of the day and the month in dates such as `1/3/2024`: the day is first in all languages but English,
  /// where the order is unknown.
  private(set) var order: CSVDateOrder?
  /// Whether the table is one of Traccar.
  private(set) var isOfTraccar = false
  /// The column of Traccar's addresses, which may have commas in them without quotes; `nil` in other tables.
  private(set) var addressOfTraccar: Int?

  /// Whether the header has the columns of a position.
  var hasCoordinates: Bool { has(.latitude) && has(.longitude) }

  /// Whether the header may be a track's: one coordinate's column, and another column.
  var looksLikeTrack: Bool {
    columns.count > 1 && (has(.latitude) || has(.longitude))
  }

  private func has(_ key: Fix.CodingKeys) -> Bool { columns.contains { $0?.isMember(key) ?? false } }

  /// The missing columns of a position.
  var missingColumns: String {
    switch (has(.latitude), has(.longitude)) {
    case (true, false): "header without a column for the longitude (lon, lng or longitude)"
    case (false, true): "header without a column for the latitude (lat or latitude)"
    default: "header without columns for the latitude and the longitude (lat, lon)"
    }
  }

  /// Creates the columns of a header line.
  init(_ line: UnsafeRawBufferPointer, separator: UInt8) {
    var fields = CSVFields(line, separator: separator)
    // Those without a unit.
    var names: [String] = []
    var namesAndUnits: [(name: String, unit: String)] = []
    var courseInOtherWords: Int?
    var plainTime: Int?
    var plainDate: Int?
    var hasUTCDate = false
    var plane: (x: Int?, y: Int?)
    while let field = fields.next() {
      let (name, unit, lastWord) = CSVHeader.parts(of: UnsafeRawBufferPointer(rebasing: line[field.range]))
      var (column, factor) = CSVHeader.column(named: name, unit: unit, lastWord: lastWord)
      // Beside a column that states UTC, `time` may be the time since the start, or a local one.
      // `utc` alone may be an offset.
      let isNamedUTC = unit == "utc" || (name.contains("utc") && name != "utc")
      if column?.isMember(.time) == true, isNamedUTC {
        if let index = plainTime { columns[index] = .otherTime }
        plainTime = nil
      }
      if column == .date, name != "date" || unit == "utc" {
        statesUTC = true
        if let index = plainDate { columns[index] = nil }
        plainDate = nil
        hasUTCDate = true
      }
      // Of two columns of one kind the first counts, in every row.
      if let known = column, columns.contains(where: { $0?.isSameValue(as: known) ?? false }) { column = nil }
      // As the column of the time, `utc` is no offset.
      if column?.isMember(.time) == true, isNamedUTC || name == "utc" { statesUTC = true }
      if name == "time", column != nil { plainTime = columns.count }
      if name == "date", unit != "utc", column != nil { plainDate = columns.count }
      if CSVHeader.otherNamesOfCourse.contains(name) { courseInOtherWords = columns.count }
      if name == "x" { plane.x = plane.x ?? columns.count }
      if name == "y" { plane.y = plane.y ?? columns.count }
      columns.append(column)
      factors.append(factor)
      names.append(unit.isEmpty ? name : "")
      namesAndUnits.append((name, unit))
    }
    addTranslatedColumns(namesAndUnits)
    isOfTraccar = CSVHeader.namesOfTraccar.allSatisfy { names.contains($0) }
    if isOfTraccar { addressOfTraccar = names.firstIndex(of: "address") }
    // A time of day in UTC is complete with its date.
    if hasUTCDate { columns = columns.map { $0 == .otherTime ? nil : $0 } }
    for (speed, others, factor) in CSVHeader.programSpeeds where others.allSatisfy({ names.contains($0) }) {
      guard let index = names.firstIndex(of: speed), columns[index]?.isMember(.speed) == true
      else { continue }
      factors[index] = factor
    }
    // Programs for maps write degrees as x and y.
    if let x = plane.x, let y = plane.y, !has(.latitude), !has(.longitude) {
      columns[x] = CSVInputColumn.byName["longitude"]
      columns[y] = CSVInputColumn.byName["latitude"]
    }
    if let courseInOtherWords, !has(.course) { columns[courseInOtherWords] = CSVInputColumn.byName["course"] }
  }

  /// Adds the columns that are named in another language than English. English names count more.
  private mutating func addTranslatedColumns(_ names: [(name: String, unit: String)]) {
    guard let translations = CSVLanguage.translations(of: names.map { $0.name }) else { return }
    order = .dayFirst
    for (index, translation) in translations.enumerated() where columns[index] == nil {
      guard let translation, let column = CSVInputColumn.byName[translation.name],
        !columns.contains(where: { $0?.isSameValue(as: column) ?? false })
      else { continue }
      columns[index] = column
      factors[index] = CSVHeader.factor(of: column, unit: translation.unit ?? names[index].unit) ?? 1
      let isNamedUTC = translation.statesUTC || names[index].unit == "utc"
      if isNamedUTC, column == .date || column.isMember(.time) { statesUTC = true }
    }
  }

  /// Returns a name in lower case without other characters than letters and digits, the unit in brackets after it, and
  /// the last word of the name.
  private static func parts(
    of bytes: UnsafeRawBufferPointer
  ) -> (name: String, unit: String, lastWord: String) {
    var text = String(decoding: bytes, as: UTF8.self)
    // Spreadsheets write the encoding of Windows, in which most letters are those of Latin 1.
    if text.unicodeScalars.contains("\u{FFFD}") {
      text = String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
    }
    text = text.lowercased()
    let bracket = text.firstIndex { $0 == "(" || $0 == "[" } ?? text.endIndex
    let words = text[..<bracket].split { !$0.isLetter && !$0.isNumber }
    let unit = String(text[bracket...].filter { !"()[] ".contains($0) })
    return (words.joined(separator: ""), unit, String(words.last ?? ""))
  }

  private static func column(
    named name: String, unit: String, lastWord: String
  ) -> (CSVInputColumn?, factor: Double) {
    if let column = CSVInputColumn.byName[name] { return (column, factor(of: column, unit: unit) ?? 1) }
    for unit in unitsInNames where name.hasSuffix(unit) {
      // `elem` may be an element; `ele_m` is a height.
      if unit == "m", lastWord != unit { continue }
      if let column = CSVInputColumn.byName[String(name.dropLast(unit.count))],
        let factor = Self.factor(of: column, unitInName: unit)
      {
        return (column, factor)
      }
    }
    return (nil, 1)
  }

  /// Returns the factor of a column whose name ends with a unit, as in `speed_kmh`; `nil` for a unit of other columns.
  ///
  /// A coordinate's name has no unit: beside `lng_deg` there may be `lng_min`.
  static func factor(of column: CSVInputColumn, unitInName unit: String) -> Double? {
    if column.isMember(.latitude) || column.isMember(.longitude) { return nil }
    return factor(of: column, unit: unit)
  }

  /// Returns the factor from a unit in lower case to that of a column; `nil` for an unknown unit.
  static func factor(of column: CSVInputColumn, unit: String) -> Double? {
    let member = FixMember.all.first { column.isMember($0.key) }
    return switch member?.unit {
    case .metresPerSecond: speedFactors[unit.filter { $0 != "/" }]
    case .metres: metreFactors[unit]
    case .degrees: unit == "°" || unit == "deg" ? 1 : nil
    case .dimensionless, nil: nil
    }
  }

  /// The speed's column in the tables of programs whose speeds are not in metres per second, the columns that show
  /// the program, and the factor: Traccar's positions are in knots, OwnTracks' messages in km/h.
  private static let programSpeeds: [(speed: String, others: [String], factor: Double)] = [
    ("speed", namesOfTraccar, 1852.0 / 3600), ("vel", ["tst"], 1 / 3.6),
  ]

  /// The columns that show a table of Traccar.
  private static let namesOfTraccar = ["fixtime", "servertime"]

  /// The names of the course that count without another column of the course alone.
  private static let otherNamesOfCourse = ["heading", "track", "headingdeg", "trackdeg"]

  /// The units with which the name of a column may end, in lower case, letters only.
  static let unitsInNames = Array(speedFactors.keys) + Array(metreFactors.keys) + ["deg"]

  /// The factors from units of length to metres.
  private static let metreFactors: [String: Double] = [
    "m": 1, "meter": 1, "meters": 1, "metre": 1, "metres": 1, "ft": 0.3048, "feet": 0.3048,
  ]

  /// The factors from units of speed to metres per second.
  private static let speedFactors: [String: Double] = [
    "ms": 1, "mps": 1, "kmh": 1 / 3.6, "kmhr": 1 / 3.6, "kmph": 1 / 3.6, "kph": 1 / 3.6, "mph": 0.44704,
    "mih": 0.44704, "kn": 1852.0 / 3600, "kt": 1852.0 / 3600, "kts": 1852.0 / 3600, "knot": 1852.0 / 3600,
    "knots": 1852.0 / 3600,
  ]
}
