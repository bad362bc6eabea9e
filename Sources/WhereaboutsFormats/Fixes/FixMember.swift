package import WhereaboutsModel

/// A member of a fix: its property, its unit, and its name in each form.
///
/// ``all`` is the one list of the members. JSON lines, CSV, journals, the store's columns and the placeholders of
/// templates read it. `docs/architecture.md` lists the other places of a new member.
package struct FixMember: Sendable {
  /// The unit of a number.
  enum Unit: Sendable {
    case dimensionless, degrees, metres, metresPerSecond
  }

  /// The numbers that other programs' tracks may hold; others are absent.
  enum Range: Sendable {
    case any, notNegative, positive, circle
  }

  /// The key in JSON, of 16 bytes at most, which also names the placeholder of templates.
  package let key: Fix.CodingKeys
  /// The property of `Fix`.
  package let property: FixProperty
  /// The unit of the number in all forms.
  let unit: Unit
  /// The range of the number.
  let range: Range
  /// The number of decimals in text for people; `nil` for a value without decimals.
  package let places: Int?
  /// The name of the store's column; empty for the time, which each table has under a name of its own.
  package let column: StaticString
  /// The names of CSV columns with spaces between them, the written one first; case does not count.
  let csvNames: StaticString
  /// The name in JSON as it is written: with its quotes and its colon.
  let jsonKey: ShortText

  private init(
    _ key: Fix.CodingKeys, _ property: FixProperty, _ unit: Unit = .dimensionless, _ range: Range = .any,
    places: Int? = nil, column: StaticString, csv: StaticString
  ) {
    self.key = key
    self.property = property
    self.unit = unit
    self.range = range
    self.places = places
    self.column = column
    csvNames = csv
    jsonKey = ShortText("\"\(key.rawValue)\":")
  }

  /// All members, in the order of `Fix.CodingKeys`, of the JSON form, and of the store's columns.
  ///
  /// The store identifies numbers by the position of their columns: a new number follows the last number.
  ///
  /// The other names of CSV columns are those of phones' sensor logs, of GPSLogger and similar programs, and of
  /// receivers' own software.
  package static let all = [
    FixMember(
      .time, .time, column: "",
      csv: """
        time timestamp datetime utc utctime timeutc datetimeutc isotime gpstime unixtime epoch \
        epochtime unixtimestamp when recordedat fixtime tst
        """),
    FixMember(
      .latitude, .latitude, .degrees, places: 7, column: "lat",
      csv: "lat latitude gpslat gpslatitude latdeg latitudedeg"),
    FixMember(
      .longitude, .longitude, .degrees, places: 7, column: "lon",
      csv: "lon lng long longitude gpslon gpslongitude londeg longitudedeg"),
    FixMember(
      .horizontalAccuracy, .double(at(\.horizontalAccuracy)), .metres, .notNegative, places: 2,
      column: "hacc", csv: "hacc accuracy acc horizontalaccuracy haccuracy gpsaccuracy"),
    FixMember(
      .verticalAccuracy, .double(at(\.verticalAccuracy)), .metres, .notNegative, places: 2, column: "vacc",
      csv: "vacc verticalaccuracy vaccuracy altitudeaccuracy"),
    FixMember(.isAccuracyEstimated, .flag(at(\.isAccuracyEstimated)), column: "estimated", csv: "estimated"),
    FixMember(
      .heightAboveGeoid, .double(at(\.heightAboveGeoid)), .metres, places: 2, column: "alt",
      csv: "alt altitude ele elevation height altmsl altitudemsl heightmsl hmsl gpsaltitude"),
    FixMember(
      .heightAboveEllipsoid, .double(at(\.heightAboveEllipsoid)), .metres, places: 2, column: "alt_hae",
      csv: "altHAE altitudehae hae ellipsoidalaltitude altitudeellipsoidal ellipsoidalheight"),
    FixMember(
      .speed, .double(at(\.speed)), .metresPerSecond, .notNegative, places: 2, column: "speed",
      csv: "speed velocity vel sog groundspeed gpsspeed speedoverground"),
    FixMember(
      .speedAccuracy, .double(at(\.speedAccuracy)), .metresPerSecond, .notNegative, places: 2,
      column: "speed_acc", csv: "speedAcc sacc speedaccuracy"),
    FixMember(
      .course, .double(at(\.course)), .degrees, .circle, places: 1, column: "track",
      csv: "course bearing cog direction gpsbearing courseoverground"),
    FixMember(
      .courseAccuracy, .double(at(\.courseAccuracy)), .degrees, .notNegative, places: 1, column: "track_acc",
      csv: "courseAcc cacc trackacc courseaccuracy bearingaccuracy"),
    FixMember(
      .climb, .double(at(\.climb)), .metresPerSecond, places: 2, column: "climb",
      csv: "climb verticalspeed vspeed climbrate"),
    FixMember(.mode, .mode, column: "mode", csv: "mode fix fixmode"),
    FixMember(.solution, .solution, column: "status", csv: "status"),
    FixMember(
      .satellitesUsed, .count(at(\.satellitesUsed)), column: "sats_used",
      csv: "used satellites sats sat numsat nsat satellitesused"),
    FixMember(
      .satellitesInView, .count(at(\.satellitesInView)), column: "sats_seen", csv: "seen satellitesinview"),
    FixMember(
      .horizontalDilution, .float(at(\.horizontalDilution)), .dimensionless, .notNegative, places: 2,
      column: "hdop", csv: "hdop"),
    FixMember(
      .verticalDilution, .float(at(\.verticalDilution)), .dimensionless, .notNegative, places: 2,
      column: "vdop", csv: "vdop"),
    FixMember(
      .positionDilution, .float(at(\.positionDilution)), .dimensionless, .notNegative, places: 2,
      column: "pdop", csv: "pdop"),
    FixMember(.floor, .whole(at(\.floor)), column: "floor", csv: "floor"),
    FixMember(.activity, .activity, column: "activity", csv: "activity activitytype"),
    FixMember(.source, .source, column: "source", csv: "source"),
    FixMember(.isSimulated, .flag(at(\.isSimulated)), column: "simulated", csv: "simulated"),
  ]

  private static func at<Value>(_ path: KeyPath<Fix, Value>) -> FixOffset<Value> { FixOffset(path) }
}

extension FixMember: Hashable {
  package static func == (one: FixMember, other: FixMember) -> Bool { one.key == other.key }
  package func hash(into hasher: inout Hasher) { hasher.combine(key) }
}
