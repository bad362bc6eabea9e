import WhereaboutsModel

/// A satellite, by its system and its number there.
///
/// Version 4.11 numbers the satellites of each system separately and names the system by the talker or in a field.
/// Before that, and to this day, receivers use number ranges of their own beyond 96. All are converted to the numbers
/// of
/// 4.11: GPS 1 to 32, SBAS 33 to 64 (PRN minus 87), GLONASS 65 to 99, Galileo 1 to 36, BeiDou 1 to 64, QZSS 1 to 10,
/// NavIC 1 to 15.
struct SatelliteID: Hashable {
  /// The place of the system among all, times 1024, plus the number.
  let code: UInt16

  /// Numbers end below this.
  private static let span = 1024
  /// Codes end below this.
  static let count = 8 * span

  private init(_ constellation: SystemIndex, _ number: Int) {
    code = UInt16(constellation.rawValue * Self.span + number)
  }

  private enum SystemIndex: Int {
    case gps, sbas, galileo, beidou, qzss, glonass, navic, unknown
  }

  /// Its system.
  var constellation: SatellitesInView.Constellation {
    switch SystemIndex(rawValue: Int(code) / Self.span) {
    case .gps: .gps
    case .sbas: .sbas
    case .galileo: .galileo
    case .beidou: .beidou
    case .qzss: .qzss
    case .glonass: .glonass
    case .navic: .navic
    case .unknown, nil: .unknown
    }
  }

  /// Its number.
  var number: UInt16 { code % UInt16(Self.span) }

  /// Creates the satellite that a number in GSA or GSV means, or `nil` where it means none.
  ///
  /// - Parameter system: the system number of GSA's last field, where there is one.
  init?(_ number: Int, talker: Talker, system: Int? = nil) {
    guard number > 0, number < Self.span else { return nil }
    switch system ?? talker.system {
    case 2 where number <= 32: self.init(.glonass, number + 64)
    case 3: self = Self.inOwnSystem(.galileo, number, last: 64, beyond: 300, 100)
    case 4: self = Self.inOwnSystem(.beidou, number, last: 64, beyond: 400, 200)
    case 5: self = Self.inOwnSystem(.qzss, number, last: 10, beyond: 192, 192)
    case 6: self = Self.inOwnSystem(.navic, number, last: 15, beyond: 900, 500)
    default: self.init(inAnySystem: number)
    }
  }

  /// Creates a satellite from a number that alone identifies it.
  private init(inAnySystem number: Int) {
    switch number {
    case 1...32: self.init(.gps, number)
    case 33...64: self.init(.sbas, number)
    case 65...99: self.init(.glonass, number)
    case 120...158: self.init(.sbas, number - 87)
    case 193...200: self.init(.qzss, number - 192)
    case 201...264: self.init(.beidou, number - 200)
    case 301...336: self.init(.galileo, number - 300)
    case 401...463: self.init(.beidou, number - 400)
    default: self.init(.unknown, number)
    }
  }

  /// Returns a satellite of a known system, by its own numbers or by one of two ranges that receivers use instead.
  private static func inOwnSystem(
    _ constellation: SystemIndex, _ number: Int, last: Int, beyond first: Int, _ second: Int
  ) -> SatelliteID {
    if number <= last { return SatelliteID(constellation, number) }
    if number > first, number <= first + last { return SatelliteID(constellation, number - first) }
    if number > second, number <= second + last { return SatelliteID(constellation, number - second) }
    return SatelliteID(inAnySystem: number)
  }
}

/// A number for each satellite, at first 0.
struct SatelliteTable {
  private var numbers: [UInt16] = []

  subscript(id: SatelliteID) -> UInt16 {
    @inline(__always) get { numbers.isEmpty ? 0 : numbers[Int(id.code)] }
    @inline(__always) set {
      if numbers.isEmpty { numbers = [UInt16](repeating: 0, count: SatelliteID.count) }
      numbers[Int(id.code)] = newValue
    }
  }
}

extension Talker {
  /// The system number of this talker in GSA; `nil` for combined talkers and instruments.
  fileprivate var system: Int? {
    switch self {
    case .gp: 1
    case .gl: 2
    case .ga: 3
    case .gb, .bd: 4
    case .gq, .qz: 5
    case .gi: 6
    default: nil
    }
  }
}
