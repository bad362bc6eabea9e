import GRDB
import WhereaboutsModel
import WhereaboutsFormats
import WhereaboutsGeodesy

/// The columns of a fix without its time, the same in every table: those of `FixMember` and ``exactColumn``.
enum FixColumns {
  /// The members with a column, in the order of the columns.
  private static let members = FixMember.all.filter { $0.key != .time }
  /// The column of ``ExactNumbers``.
  private static let exactColumn = Int32(members.count)

  static let declarations = members.map { "\($0.column) \($0.columnType)" } + ["exact BLOB"]

  static let names = declarations.map { String($0.prefix { $0 != " " }) }
  static let count = Int32(declarations.count)

  /// Binds a fix to consecutive parameters.
  static func bind(_ fix: Fix, to statement: Statement, from first: Int32) {
    var exact = ExactNumbers.Writer()
    func bind(_ value: Double?, _ column: Int32) {
      statement.bind(value, first + column)
      exact.append(value, column)
    }
    var column: Int32 = 0
    for member in members {
      switch member.property {
      case .time: break
      case .latitude: bind(fix.coordinate.latitude, column)
      case .longitude: bind(fix.coordinate.longitude, column)
      case .double(let property): bind(property.value(in: fix), column)
      case .float(let property): bind(property.value(in: fix).map(Double.init), column)
      case .count(let property): statement.bind(property.value(in: fix).map(Int64.init), first + column)
      case .whole(let property): statement.bind(property.value(in: fix).map(Int64.init), first + column)
      case .flag(let property): statement.bind(property.value(in: fix) ? 1 as Int64 : 0, first + column)
      case .mode: statement.bind(fix.mode.map { Int64($0.rawValue) }, first + column)
      case .solution: statement.bind(fix.solution?.rawValue, first + column)
      case .activity: statement.bind(fix.activity?.rawValue, first + column)
      case .source: statement.bind(fix.source.rawValue, first + column)
      }
      column += 1
    }
    statement.bind(exact.bytes, first + exactColumn)
  }

  /// Decodes a fix from consecutive columns.
  ///
  /// - Throws: if a value is unknown to this version.
  static func fix(of statement: Statement, from first: Int32, time: UTCTime?) throws -> Fix {
    let exact = ExactNumbers(statement.optionalBytes(first + exactColumn))
    func number(_ column: Int32) -> Double? {
      exact.isEmpty
        ? statement.optionalDouble(first + column)
        : exact[column] ?? statement.optionalDouble(first + column)
    }
    // The position and the source have their values below.
    var fix = Fix(coordinate: Coordinate(uncheckedLatitude: 0, longitude: 0), time: time, source: .scripted)
    var latitude = Double.nan, longitude = Double.nan, sourceName = ""
    var column: Int32 = 0
    for member in members {
      switch member.property {
      case .time: break
      case .latitude: latitude = number(column) ?? .nan
      case .longitude: longitude = number(column) ?? .nan
      case .double(let property): property.set(number(column), in: &fix)
      case .float(let property): property.set(number(column).map { Float($0) }, in: &fix)
      case .count(let property):
        let value = statement.optionalInt(first + column)
        property.set(try decoded(value, member.column) { UInt8(exactly: $0) }, in: &fix)
      case .whole(let property):
        let value = statement.optionalInt(first + column)
        property.set(try decoded(value, member.column) { Int16(exactly: $0) }, in: &fix)
      case .flag(let property): property.set(statement.int(first + column) != 0, in: &fix)
      case .mode:
        fix.mode = try decoded(statement.optionalInt(first + column), member.column) {
          UInt8(exactly: $0).flatMap(Fix.Mode.init)
        }
      case .solution:
        let name = statement.optionalText(first + column)
        fix.solution = try decoded(name, member.column) { Fix.SolutionKind(rawValue: $0) }
      case .activity:
        let name = statement.optionalText(first + column)
        fix.activity = try decoded(name, member.column) { Fix.StatedActivity(rawValue: $0) }
      case .source: sourceName = statement.text(first + column)
      }
      column += 1
    }
    guard let place = Coordinate(latitude: latitude, longitude: longitude),
      let source = Fix.SourceKind(rawValue: sourceName)
    else { throw UnreadableRowError(message: "a fix from '\(sourceName)' has no such source or no place") }
    fix.coordinate = place
    fix.source = source
    return fix
  }

  private static func decoded<Raw, Value>(
    _ raw: Raw?, _ column: StaticString, _ value: (Raw) -> Value?
  ) throws -> Value? {
    guard let raw else { return nil }
    guard let value = value(raw) else {
      throw UnreadableRowError(message: "column \(column) of a fix is '\(raw)'")
    }
    return value
  }
}

extension FixMember {
  /// The type of the store's column.
  fileprivate var columnType: String {
    switch property {
    case .latitude, .longitude: "REAL NOT NULL"
    case .double, .float: "REAL"
    case .count, .whole, .mode: "INTEGER"
    case .flag: "INTEGER NOT NULL"
    case .solution, .activity: "TEXT"
    case .source: "TEXT NOT NULL"
    case .time: "INTEGER"
    }
  }
}

/// An error: a row holds a value unknown to this version.
struct UnreadableRowError: Error {
  let message: String
}
