import WhereaboutsModel

/// A kind of column that the CSV reader knows. ``FixMember`` and ``CSVWriter`` have the written columns.
enum CSVInputColumn: Hashable {
  /// A member of the fix; the time may be only the time of day, beside a column of the date.
  case member(Fix.CodingKeys, FixProperty, FixMember.Range)
  case date
  /// A time beside one that states UTC, which counts where that one has no date.
  case otherTime
  /// The offset of local time from UTC. A text of a time without a zone is the local time.
  case utcOffset
  case trackNumber, segment, trackName
  /// The hemisphere of a coordinate without a sign, as `N` or `S`, `E` or `W`.
  case latitudeHemisphere, longitudeHemisphere
  /// The time in milliseconds since 1970, which counts more than a text. A number before the year 1973 does not count.
  case milliseconds

  /// The columns by their names in lower case, letters and digits only.
  static let byName: [String: CSVInputColumn] = {
    var columns: [String: CSVInputColumn] = [
      "date": .date, "utcdate": .date, "dateutc": .date, "trackname": .trackName,
      "timestampms": .milliseconds,
    ]
    // The later ones are those of GDAL.
    for name in ["tracknumber", "trackid", "trackfid"] { columns[name] = .trackNumber }
    for name in ["segment", "segmentid", "segmentnumber", "tracksegid", "trkseg"] { columns[name] = .segment }
    for (latitude, longitude) in [
      ("ns", "ew"), ("nsindicator", "ewindicator"), ("latdir", "londir"), ("latref", "lonref"),
      ("latituderef", "longituderef"), ("gpslatituderef", "gpslongituderef"),
      ("lathemisphere", "lonhemisphere"), ("latitudehemisphere", "longitudehemisphere"),
    ] {
      columns[latitude] = .latitudeHemisphere
      columns[longitude] = .longitudeHemisphere
    }
    // Not `timezoneOffset`: in JavaScript it has the other sign.
    for name in [
      "utcoffset", "utcoffsethours", "utcoffsetminutes", "utcoffsetseconds", "gmtoffset", "offsetfromutc",
    ] {
      columns[name] = .utcOffset
    }
    for member in FixMember.all {
      let names = member.csvNames.description.split(separator: " ")
      for (index, name) in names.enumerated() {
        // Other programs write 0 for an unknown accuracy, as Android states it. The first name is that of our writer.
        let isStated = member.key == .horizontalAccuracy || member.key == .verticalAccuracy
        let range: FixMember.Range = isStated && index > 0 ? .positive : member.range
        columns[name.lowercased()] = .member(member.key, member.property, range)
      }
    }
    return columns
  }()

  /// Returns whether two columns hold the same value, under one name or two.
  func isSameValue(as other: CSVInputColumn) -> Bool {
    if case .member(let key, _, _) = self { other.isMember(key) } else { self == other }
  }

  /// Returns whether the column holds a member.
  func isMember(_ key: Fix.CodingKeys) -> Bool {
    if case .member(key, _, _) = self { true } else { false }
  }
}
