/// A kind of column of a CSV track.
enum CSVColumn: UInt8, CaseIterable {
  case time, date, latitude, longitude
  case horizontalAccuracy, verticalAccuracy
  case heightAboveGeoid, heightAboveEllipsoid
  case speed, speedAccuracy, course, courseAccuracy, climb
  case mode, solution, satellitesUsed, satellitesInView
  case horizontalDilution, verticalDilution, positionDilution
  case isAccuracyEstimated, source, isSimulated
  case trackNumber, segment, trackName

  /// The names of the column, the written one first; lower case, letters and digits only.
  ///
  /// The other names are those of phones' sensor logs, of GPSLogger and similar programs, and of receivers' own
  /// software.
  var names: [String] {
    switch self {
    case .time:
      [
        "time", "timestamp", "datetime", "utc", "utctime", "timeutc", "datetimeutc", "isotime", "gpstime",
        "unixtime", "epoch", "epochtime", "unixtimestamp",
      ]
    case .date: ["date", "utcdate", "dateutc"]
    case .latitude: ["lat", "latitude", "gpslat", "gpslatitude", "latdeg", "latitudedeg"]
    case .longitude: ["lon", "lng", "long", "longitude", "gpslon", "gpslongitude", "londeg", "longitudedeg"]
    case .horizontalAccuracy: ["hacc", "accuracy", "acc", "horizontalaccuracy", "haccuracy", "gpsaccuracy"]
    case .verticalAccuracy: ["vacc", "verticalaccuracy", "vaccuracy", "altitudeaccuracy"]
    case .heightAboveGeoid:
      [
        "alt", "altitude", "ele", "elevation", "height", "altmsl", "altitudemsl", "heightmsl", "hmsl",
        "gpsaltitude",
      ]
    case .heightAboveEllipsoid:
      ["althae", "altitudehae", "hae", "ellipsoidalaltitude", "altitudeellipsoidal", "ellipsoidalheight"]
    case .speed: ["speed", "velocity", "sog", "groundspeed", "gpsspeed", "speedoverground"]
    case .speedAccuracy: ["speedacc", "sacc", "speedaccuracy"]
    case .course:
      ["course", "bearing", "cog", "direction", "gpsbearing", "courseoverground"]
    case .courseAccuracy: ["courseacc", "cacc", "trackacc", "courseaccuracy", "bearingaccuracy"]
    case .climb: ["climb", "verticalspeed", "vspeed", "climbrate"]
    case .mode: ["mode", "fix", "fixmode"]
    case .solution: ["status"]
    case .satellitesUsed: ["used", "satellites", "sats", "sat", "numsat", "nsat", "satellitesused"]
    case .satellitesInView: ["seen", "satellitesinview"]
    case .horizontalDilution: ["hdop"]
    case .verticalDilution: ["vdop"]
    case .positionDilution: ["pdop"]
    case .isAccuracyEstimated: ["estimated"]
    case .source: ["source"]
    case .isSimulated: ["simulated"]
    // The later ones are those of GDAL.
    case .trackNumber: ["tracknumber", "trackid", "trackfid"]
    case .segment: ["segment", "segmentid", "segmentnumber", "tracksegid", "trkseg"]
    case .trackName: ["trackname"]
    }
  }
}

/// The columns of a track, found from the header.
struct CSVHeader {
  /// The column of each field of a row; `nil` for unknown columns.
  private(set) var columns: [CSVColumn?] = []
  /// The factor for each field's number; 1 for all but speeds and heights in other units.
  private(set) var factors: [Double] = []

  /// Whether the header has the columns of a position.
  var hasCoordinates: Bool { columns.contains(.latitude) && columns.contains(.longitude) }

  /// Whether the header may be a track's: one coordinate's column, and another column.
  var looksLikeTrack: Bool {
    columns.count > 1 && (columns.contains(.latitude) || columns.contains(.longitude))
  }

  /// The missing columns of a position.
  var missingColumns: String {
    switch (columns.contains(.latitude), columns.contains(.longitude)) {
    case (true, false): "header without a column for the longitude (lon, lng or longitude)"
    case (false, true): "header without a column for the latitude (lat or latitude)"
    default: "header without columns for the latitude and the longitude (lat, lon)"
    }
  }

  /// The columns of a header line.
  init(_ line: UnsafeRawBufferPointer, separator: UInt8) {
    var fields = CSVFields(line, separator: separator)
    var courseInOtherWords: Int?
    while let field = fields.next() {
      let (name, unit) = CSVHeader.nameAndUnit(UnsafeRawBufferPointer(rebasing: line[field.range]))
      var (column, factor) = CSVHeader.column(named: name, unit: unit)
      // Of two columns of one kind the first counts, in every row.
      if let known = column, columns.contains(known) { column = nil }
      if name == "heading" || name == "track" { courseInOtherWords = columns.count }
      columns.append(column)
      factors.append(factor)
    }
    if let courseInOtherWords, !columns.contains(.course) { columns[courseInOtherWords] = .course }
  }

  /// Returns a name in lower case without other characters than letters and digits, and the unit in brackets after
  /// it.
  private static func nameAndUnit(_ bytes: UnsafeRawBufferPointer) -> (name: String, unit: String) {
    let text = String(decoding: bytes, as: UTF8.self).lowercased()
    let bracket = text.firstIndex { $0 == "(" || $0 == "[" } ?? text.endIndex
    return (
      String(text[..<bracket].filter { $0.isLetter || $0.isNumber }),
      String(text[bracket...].filter { !"()[] ".contains($0) })
    )
  }

  private static func column(named name: String, unit: String) -> (CSVColumn?, factor: Double) {
    if let column = byName[name] { return (column, factor(of: column, unit: unit)) }
    // As in `speed_kmh`.
    for (suffix, factor) in speedFactors where name.hasSuffix(suffix) {
      if byName[String(name.dropLast(suffix.count))] == .speed { return (.speed, factor) }
    }
    return (nil, 1)
  }

  private static func factor(of column: CSVColumn, unit: String) -> Double {
    switch column {
    case .speed, .speedAccuracy, .climb: speedFactors[unit.filter { $0 != "/" }] ?? 1
    case .heightAboveGeoid, .heightAboveEllipsoid, .horizontalAccuracy, .verticalAccuracy:
      unit == "ft" || unit == "feet" ? 0.3048 : 1
    default: 1
    }
  }

  /// Metres per second in a unit of speed.
  private static let speedFactors: [String: Double] = [
    "ms": 1, "mps": 1, "kmh": 1 / 3.6, "kph": 1 / 3.6, "mph": 0.44704, "kn": 1852.0 / 3600,
    "kt": 1852.0 / 3600,
    "kts": 1852.0 / 3600, "knots": 1852.0 / 3600,
  ]

  private static let byName: [String: CSVColumn] = {
    var columns: [String: CSVColumn] = [:]
    for column in CSVColumn.allCases {
      for name in column.names { columns[name] = column }
    }
    return columns
  }()
}
