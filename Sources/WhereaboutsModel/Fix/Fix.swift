public import WhereaboutsGeodesy

/// One position solution: place, time, accuracy and source.
///
/// Absent is `nil`, never 0 or -1. Every accuracy is a radius or half-width at **68 % confidence**. A source's
/// adapter converts other measures and documents the conversion. A fix holds no references, so copying one costs no
/// more than its bytes.
///
/// The JSON form is documented at ``Fix/CodingKeys``.
public struct Fix: Hashable, Sendable {
  /// The place, in degrees, WGS 84.
  public var coordinate: Coordinate
  /// The time when the solution was valid; `nil` where the source gave no date or no time.
  public var time: UTCTime?

  /// Radius of the circle around ``coordinate`` that holds the true place with 68 % confidence, in metres.
  public var horizontalAccuracy: Double?
  /// Half-width of the height interval that holds the true height with 68 % confidence, in metres.
  public var verticalAccuracy: Double?
  /// Whether the accuracies were derived from something else, such as a dilution of precision, and not stated by the
  /// source.
  public var isAccuracyEstimated: Bool

  /// Height above mean sea level (the geoid), in metres.
  public var heightAboveGeoid: Double?
  /// Height above the WGS 84 ellipsoid, in metres.
  public var heightAboveEllipsoid: Double?

  /// Speed over ground, in metres per second, not negative.
  public var speed: Double?
  /// Half-width of the 68 % interval of ``speed``, in metres per second.
  public var speedAccuracy: Double?
  /// Course over ground, in degrees from true north in [0, 360). 0 is north and not "unknown".
  public var course: Double?
  /// Half-width of the 68 % interval of ``course``, in degrees.
  public var courseAccuracy: Double?
  /// Vertical speed, in metres per second, up positive.
  public var climb: Double?

  /// The dimensions of the solution.
  public var mode: Mode?
  /// The method of the solution.
  public var solution: SolutionKind?
  /// Satellites used in the solution.
  public var satellitesUsed: UInt8?
  /// Satellites in view, used or not.
  public var satellitesInView: UInt8?
  /// Horizontal dilution of precision: geometry only, no unit.
  public var horizontalDilution: Float?
  /// Vertical dilution of precision: geometry only, no unit.
  public var verticalDilution: Float?
  /// Position (3D) dilution of precision: geometry only, no unit.
  public var positionDilution: Float?

  /// The storey of a building: 0 is the ground floor, storeys below it are negative. A storey has no fixed height.
  public var floor: Int16?

  /// The activity that the source states; `nil` if it states none. Nothing is derived from the fix's values.
  public var activity: StatedActivity?

  /// The kind of source that gave this fix.
  public var source: SourceKind
  /// Whether this fix was made or replayed rather than measured now: a simulator, a mock, a recording.
  public var isSimulated: Bool

  /// Creates a position with everything else absent.
  @inlinable
  public init(coordinate: Coordinate, time: UTCTime?, source: SourceKind, isSimulated: Bool = false) {
    self.coordinate = coordinate
    self.time = time
    self.source = source
    self.isSimulated = isSimulated
    self.isAccuracyEstimated = false
  }

  /// Geoid separation: how far the geoid lies above the ellipsoid here, in metres, where both heights are known.
  public var geoidSeparation: Double? {
    guard let heightAboveEllipsoid, let heightAboveGeoid else { return nil }
    return heightAboveEllipsoid - heightAboveGeoid
  }
}

extension Fix {
  /// The number of dimensions that were solved for.
  public enum Mode: UInt8, Hashable, Sendable, Codable {
    /// Latitude and longitude; a height, if any, was assumed.
    case twoD = 2
    /// Latitude, longitude and height.
    case threeD = 3
  }

  /// The method of a solution.
  public enum SolutionKind: String, Hashable, Sendable, Codable, CaseIterable {
    /// Satellites alone.
    case autonomous
    /// With differential or satellite-based corrections.
    case differential = "dgps"
    /// Carrier phase with ambiguities fixed to whole cycles: centimetres.
    case rtkFixed = "rtk-fixed"
    /// Carrier phase with floating ambiguities: decimetres.
    case rtkFloat = "rtk-float"
    /// Encrypted military signals.
    case precise = "pps"
    /// Motion sensors alone, carried on from an earlier position.
    case deadReckoning = "dr"
    /// Satellites and motion sensors together.
    case satellitesAndDeadReckoning = "gnss-dr"
    /// A surveyed or typed-in position.
    case fixedPosition = "fixed"
    /// Made by a simulator.
    case simulated = "simulated"
  }

  /// The kind of source that gave a fix.
  public enum SourceKind: String, Hashable, Sendable, Codable, CaseIterable {
    /// Apple's Core Location.
    case coreLocation = "corelocation"
    /// The gpsd daemon.
    case gpsd
    /// The Linux desktop's location service.
    case geoClue = "geoclue"
    /// An NMEA 0183 receiver or a capture of one.
    case nmea
    /// A GPX document.
    case gpx
    /// A CSV track.
    case csv
    /// The JSON-lines form of this package.
    case jsonLines = "jsonl"
    /// A phone that reports over the network.
    case phone
    /// A Google Timeline, exported by Takeout or by a phone.
    case timeline
    /// A FIT file of a sports watch or a camera.
    case fit
    /// A Training Center document.
    case tcx
    /// A flight recorder's IGC file.
    case igc
    /// A KML document.
    case kml
    /// A GeoJSON document.
    case geoJSON = "geojson"
    /// A script, a test or the caller itself.
    case scripted
  }
}
