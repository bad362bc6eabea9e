/// The satellites a receiver sees, used or not.
public struct SatellitesInView: Hashable, Sendable, Codable {
  /// One satellite.
  public struct Satellite: Hashable, Sendable, Codable {
    /// The system of the satellite.
    public var constellation: Constellation
    /// The satellite's number within the numbering of NMEA 0183 (GPS 1 to 32, SBAS 33 to 64, GLONASS 65 to 96, and so
    /// on).
    public var number: UInt16
    /// The elevation in degrees above the horizon, in [-90, 90]; `nil` if unknown.
    public var elevation: Float?
    /// The azimuth in degrees from true north, in [0, 360); `nil` if unknown.
    public var azimuth: Float?
    /// The carrier-to-noise density, in dB-Hz; `nil` while the satellite is not tracked.
    public var signal: Float?
    /// Whether the last solution used the satellite.
    public var isUsed: Bool

    /// Creates a satellite.
    public init(
      constellation: Constellation, number: UInt16, elevation: Float? = nil, azimuth: Float? = nil,
      signal: Float? = nil, isUsed: Bool = false
    ) {
      self.constellation = constellation
      self.number = number
      self.elevation = elevation
      self.azimuth = azimuth
      self.signal = signal
      self.isUsed = isUsed
    }
  }

  /// A satellite system.
  public enum Constellation: String, Hashable, Sendable, Codable, CaseIterable {
    /// Global Positioning System, United States.
    case gps
    /// Satellite-based augmentation (WAAS, EGNOS, MSAS, GAGAN …).
    case sbas
    /// Galileo, European Union.
    case galileo
    /// BeiDou, China.
    case beidou
    /// QZSS, Japan.
    case qzss
    /// GLONASS, Russia.
    case glonass
    /// NavIC, India.
    case navic
    /// A number that belongs to no known system.
    case unknown
  }

  /// Every satellite in view.
  public var satellites: [Satellite]
  /// The time of the observation; `nil` if unknown.
  public var time: UTCTime?

  /// Creates a view of the sky.
  public init(satellites: [Satellite], time: UTCTime? = nil) {
    self.satellites = satellites
    self.time = time
  }
}
