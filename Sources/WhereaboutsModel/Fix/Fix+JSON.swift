import WhereaboutsGeodesy

extension Fix: Codable {
  /// The JSON form of a fix: one flat object whose absent keys are absent.
  ///
  /// | key | type, unit | meaning |
  /// | --- | --- | --- |
  /// | `time` | RFC 3339, UTC | ``Fix/time`` |
  /// | `lat`, `lon` | degrees | ``Fix/coordinate`` |
  /// | `hacc`, `vacc` | m at 68 % | ``Fix/horizontalAccuracy``, ``Fix/verticalAccuracy`` |
  /// | `estimated` | `true` | ``Fix/isAccuracyEstimated``; left out when false |
  /// | `alt`, `altHAE` | m | ``Fix/heightAboveGeoid``, ``Fix/heightAboveEllipsoid`` |
  /// | `speed`, `speedAcc` | m/s | ``Fix/speed``, ``Fix/speedAccuracy`` |
  /// | `track`, `trackAcc` | degrees | ``Fix/course``, ``Fix/courseAccuracy`` |
  /// | `climb` | m/s | ``Fix/climb`` |
  /// | `mode` | 2 or 3 | ``Fix/mode`` |
  /// | `status` | text | ``Fix/solution`` |
  /// | `used`, `seen` | count | ``Fix/satellitesUsed``, ``Fix/satellitesInView`` |
  /// | `hdop`, `vdop`, `pdop` | none | the dilutions of precision |
  /// | `floor` | whole number | ``Fix/floor`` |
  /// | `activity` | text | ``Fix/activity``; absent for an unknown word |
  /// | `source` | text | ``Fix/source`` |
  /// | `simulated` | `true` | ``Fix/isSimulated``; left out when false |
  public enum CodingKeys: String, CodingKey, CaseIterable {
    /// ``Fix/time``
    case time
    /// Latitude of ``Fix/coordinate``
    case latitude = "lat"
    /// Longitude of ``Fix/coordinate``
    case longitude = "lon"
    /// ``Fix/horizontalAccuracy``
    case horizontalAccuracy = "hacc"
    /// ``Fix/verticalAccuracy``
    case verticalAccuracy = "vacc"
    /// ``Fix/isAccuracyEstimated``
    case isAccuracyEstimated = "estimated"
    /// ``Fix/heightAboveGeoid``
    case heightAboveGeoid = "alt"
    /// ``Fix/heightAboveEllipsoid``
    case heightAboveEllipsoid = "altHAE"
    /// ``Fix/speed``
    case speed
    /// ``Fix/speedAccuracy``
    case speedAccuracy = "speedAcc"
    /// ``Fix/course``
    case course = "track"
    /// ``Fix/courseAccuracy``
    case courseAccuracy = "trackAcc"
    /// ``Fix/climb``
    case climb
    /// ``Fix/mode``
    case mode
    /// ``Fix/solution``
    case solution = "status"
    /// ``Fix/satellitesUsed``
    case satellitesUsed = "used"
    /// ``Fix/satellitesInView``
    case satellitesInView = "seen"
    /// ``Fix/horizontalDilution``
    case horizontalDilution = "hdop"
    /// ``Fix/verticalDilution``
    case verticalDilution = "vdop"
    /// ``Fix/positionDilution``
    case positionDilution = "pdop"
    /// ``Fix/floor``
    case floor
    /// ``Fix/activity``
    case activity
    /// ``Fix/source``
    case source
    /// ``Fix/isSimulated``
    case isSimulated = "simulated"
  }

  /// Reads the form that ``CodingKeys`` documents.
  ///
  /// Unknown keys are ignored; `lat` and `lon` are required; `source` is `scripted` where it is missing.
  /// - Throws: `DecodingError` where a value has the wrong type, or the coordinate or time is invalid.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    let coordinate = try values.decodeCoordinate(latitude: .latitude, longitude: .longitude)
    self.init(
      coordinate: coordinate, time: try values.decodeIfPresent(UTCTime.self, forKey: .time),
      source: try values.decodeIfPresent(SourceKind.self, forKey: .source) ?? .scripted,
      isSimulated: try values.decodeIfPresent(Bool.self, forKey: .isSimulated) ?? false)
    horizontalAccuracy = try values.decodeIfPresent(Double.self, forKey: .horizontalAccuracy)
    verticalAccuracy = try values.decodeIfPresent(Double.self, forKey: .verticalAccuracy)
    isAccuracyEstimated = try values.decodeIfPresent(Bool.self, forKey: .isAccuracyEstimated) ?? false
    heightAboveGeoid = try values.decodeIfPresent(Double.self, forKey: .heightAboveGeoid)
    heightAboveEllipsoid = try values.decodeIfPresent(Double.self, forKey: .heightAboveEllipsoid)
    speed = try values.decodeIfPresent(Double.self, forKey: .speed)
    speedAccuracy = try values.decodeIfPresent(Double.self, forKey: .speedAccuracy)
    course = try values.decodeIfPresent(Double.self, forKey: .course)
    courseAccuracy = try values.decodeIfPresent(Double.self, forKey: .courseAccuracy)
    climb = try values.decodeIfPresent(Double.self, forKey: .climb)
    mode = try values.decodeIfPresent(Mode.self, forKey: .mode)
    solution = try values.decodeIfPresent(SolutionKind.self, forKey: .solution)
    satellitesUsed = try values.decodeIfPresent(UInt8.self, forKey: .satellitesUsed)
    satellitesInView = try values.decodeIfPresent(UInt8.self, forKey: .satellitesInView)
    horizontalDilution = try values.decodeIfPresent(Float.self, forKey: .horizontalDilution)
    verticalDilution = try values.decodeIfPresent(Float.self, forKey: .verticalDilution)
    positionDilution = try values.decodeIfPresent(Float.self, forKey: .positionDilution)
    floor = try values.decodeIfPresent(Int16.self, forKey: .floor)
    // Other programs have members of this name, too, with words and forms of their own.
    let word = try? values.decodeIfPresent(String.self, forKey: .activity)
    activity = word.flatMap { StatedActivity(rawValue: $0) }
  }

  /// Writes the form that ``CodingKeys`` documents.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encodeIfPresent(time, forKey: .time)
    try values.encode(coordinate.latitude, forKey: .latitude)
    try values.encode(coordinate.longitude, forKey: .longitude)
    try values.encodeIfPresent(horizontalAccuracy, forKey: .horizontalAccuracy)
    try values.encodeIfPresent(verticalAccuracy, forKey: .verticalAccuracy)
    if isAccuracyEstimated { try values.encode(true, forKey: .isAccuracyEstimated) }
    try values.encodeIfPresent(heightAboveGeoid, forKey: .heightAboveGeoid)
    try values.encodeIfPresent(heightAboveEllipsoid, forKey: .heightAboveEllipsoid)
    try values.encodeIfPresent(speed, forKey: .speed)
    try values.encodeIfPresent(speedAccuracy, forKey: .speedAccuracy)
    try values.encodeIfPresent(course, forKey: .course)
    try values.encodeIfPresent(courseAccuracy, forKey: .courseAccuracy)
    try values.encodeIfPresent(climb, forKey: .climb)
    try values.encodeIfPresent(mode, forKey: .mode)
    try values.encodeIfPresent(solution, forKey: .solution)
    try values.encodeIfPresent(satellitesUsed, forKey: .satellitesUsed)
    try values.encodeIfPresent(satellitesInView, forKey: .satellitesInView)
    try values.encodeIfPresent(horizontalDilution, forKey: .horizontalDilution)
    try values.encodeIfPresent(verticalDilution, forKey: .verticalDilution)
    try values.encodeIfPresent(positionDilution, forKey: .positionDilution)
    try values.encodeIfPresent(floor, forKey: .floor)
    try values.encodeIfPresent(activity, forKey: .activity)
    try values.encode(source, forKey: .source)
    if isSimulated { try values.encode(true, forKey: .isSimulated) }
  }
}

extension UTCTime: Codable {
  /// Reads RFC 3339 text.
  public init(from decoder: any Decoder) throws {
    let value = try decoder.singleValueContainer()
    let text = try value.decode(String.self)
    guard let time = UTCTime(iso8601: text) else {
      throw DecodingError.dataCorruptedError(in: value, debugDescription: "not an RFC 3339 time: \(text)")
    }
    self = time
  }

  /// Writes RFC 3339 text in UTC, exact to the nanosecond.
  public func encode(to encoder: any Encoder) throws {
    var value = encoder.singleValueContainer()
    try value.encode(iso8601)
  }
}
