import GRDB
import WhereaboutsModel
import WhereaboutsGeodesy

/// The columns of a fix without its time, the same in every table.
enum FixColumns {
  static let declarations = [
    "lat REAL NOT NULL", "lon REAL NOT NULL", "hacc REAL", "vacc REAL", "estimated INTEGER NOT NULL",
    "alt REAL", "alt_hae REAL", "speed REAL", "speed_acc REAL", "track REAL", "track_acc REAL", "climb REAL",
    "mode INTEGER", "status TEXT", "sats_used INTEGER", "sats_seen INTEGER", "hdop REAL", "vdop REAL",
    "pdop REAL", "source TEXT NOT NULL", "simulated INTEGER NOT NULL", "exact BLOB",
  ]

  static let names = declarations.map { String($0.prefix { $0 != " " }) }
  static let count = Int32(declarations.count)

  /// Binds a fix to consecutive parameters.
  static func bind(_ fix: Fix, to statement: Statement, from first: Int32) {
    var exact = ExactNumbers.Writer()
    func number(_ value: Double?, _ column: Int32) {
      statement.bind(value, first + column)
      exact.append(value, column)
    }
    number(fix.coordinate.latitude, 0)
    number(fix.coordinate.longitude, 1)
    number(fix.horizontalAccuracy, 2)
    number(fix.verticalAccuracy, 3)
    statement.bind(fix.isAccuracyEstimated ? 1 as Int64 : 0, first + 4)
    number(fix.heightAboveGeoid, 5)
    number(fix.heightAboveEllipsoid, 6)
    number(fix.speed, 7)
    number(fix.speedAccuracy, 8)
    number(fix.course, 9)
    number(fix.courseAccuracy, 10)
    number(fix.climb, 11)
    statement.bind(fix.mode.map { Int64($0.rawValue) }, first + 12)
    statement.bind(fix.solution?.rawValue, first + 13)
    statement.bind(fix.satellitesUsed.map(Int64.init), first + 14)
    statement.bind(fix.satellitesInView.map(Int64.init), first + 15)
    number(fix.horizontalDilution.map(Double.init), 16)
    number(fix.verticalDilution.map(Double.init), 17)
    number(fix.positionDilution.map(Double.init), 18)
    statement.bind(fix.source.rawValue, first + 19)
    statement.bind(fix.isSimulated ? 1 as Int64 : 0, first + 20)
    statement.bind(exact.bytes, first + 21)
  }

  /// Decodes a fix from consecutive columns.
  ///
  /// - Throws: if a value is unknown to this version.
  static func fix(of statement: Statement, from first: Int32, time: UTCTime?) throws -> Fix {
    let exact = ExactNumbers(statement.optionalBytes(first + 21))
    func number(_ column: Int32) -> Double? {
      exact.isEmpty
        ? statement.optionalDouble(first + column)
        : exact[column] ?? statement.optionalDouble(first + column)
    }
    let sourceName = statement.text(first + 19)
    guard
      let place = Coordinate(latitude: number(0) ?? .nan, longitude: number(1) ?? .nan),
      let source = SourceKind(rawValue: sourceName)
    else { throw UnreadableRowError(message: "a fix from '\(sourceName)' has no such source or no place") }
    var fix = Fix(
      coordinate: place, time: time, source: source, isSimulated: statement.int(first + 20) != 0)
    fix.horizontalAccuracy = number(2)
    fix.verticalAccuracy = number(3)
    fix.isAccuracyEstimated = statement.int(first + 4) != 0
    fix.heightAboveGeoid = number(5)
    fix.heightAboveEllipsoid = number(6)
    fix.speed = number(7)
    fix.speedAccuracy = number(8)
    fix.course = number(9)
    fix.courseAccuracy = number(10)
    fix.climb = number(11)
    fix.mode = try decoded(statement.optionalInt(first + 12), "mode") {
      UInt8(exactly: $0).flatMap(FixMode.init)
    }
    fix.solution = try decoded(statement.optionalText(first + 13), "status") { SolutionKind(rawValue: $0) }
    fix.satellitesUsed = try decoded(statement.optionalInt(first + 14), "sats_used") { UInt8(exactly: $0) }
    fix.satellitesInView = try decoded(statement.optionalInt(first + 15), "sats_seen") { UInt8(exactly: $0) }
    fix.horizontalDilution = number(16).map { Float($0) }
    fix.verticalDilution = number(17).map { Float($0) }
    fix.positionDilution = number(18).map { Float($0) }
    return fix
  }

  private static func decoded<Raw, Value>(
    _ raw: Raw?, _ column: String, _ value: (Raw) -> Value?
  ) throws -> Value? {
    guard let raw else { return nil }
    guard let value = value(raw) else {
      throw UnreadableRowError(message: "column \(column) of a fix is '\(raw)'")
    }
    return value
  }
}

/// An error: a row holds a value unknown to this version.
struct UnreadableRowError: Error {
  let message: String
}
