import WhereaboutsCore

/// Which satellite a number in GSA or GSV means.
///
/// Version 4.11 numbers the satellites of each system by themselves and says the system by the talker or in a field.
/// Before that, and to this day, receivers use number ranges of their own beyond 96. All are brought to the numbers of
/// 4.11: GPS 1 to 32, SBAS 33 to 64 (PRN minus 87), GLONASS 65 to 99, Galileo 1 to 36, BeiDou 1 to 64, QZSS 1 to 10,
/// NavIC 1 to 15.
enum SatelliteNumbering {
  typealias Satellite = (constellation: SatellitesInView.Constellation, number: UInt16)

  /// - Parameter system: the system number of GSA's last field, where there is one.
  static func satellite(_ number: Int, talker: Talker, system: Int? = nil) -> Satellite? {
    guard number > 0, number < 1000 else { return nil }
    switch system ?? talker.system {
    case 1: return inRange(number)
    case 2: return number <= 32 ? satellite(.glonass, number + 64) : inRange(number)
    case 3: return inOwnSystem(.galileo, number, last: 64, offsets: [300, 100])
    case 4: return inOwnSystem(.beidou, number, last: 64, offsets: [400, 200, 100])
    case 5: return inOwnSystem(.qzss, number, last: 10, offsets: [192])
    case 6: return inOwnSystem(.navic, number, last: 15, offsets: [900, 500])
    default: return inRange(number)
    }
  }

  /// Where only the number tells.
  private static func inRange(_ number: Int) -> Satellite? {
    switch number {
    case 1...32: satellite(.gps, number)
    case 33...64: satellite(.sbas, number)
    case 65...99: satellite(.glonass, number)
    case 120...158: satellite(.sbas, number - 87)
    case 193...200: satellite(.qzss, number - 192)
    case 201...264: satellite(.beidou, number - 200)
    case 301...336: satellite(.galileo, number - 300)
    case 401...463: satellite(.beidou, number - 400)
    default: satellite(.unknown, number)
    }
  }

  /// Where the system is known: its own numbers, or one of the ranges that receivers move them to.
  private static func inOwnSystem(
    _ constellation: SatellitesInView.Constellation, _ number: Int, last: Int, offsets: [Int]
  ) -> Satellite? {
    if number <= last { return satellite(constellation, number) }
    for offset in offsets where number > offset && number <= offset + last {
      return satellite(constellation, number - offset)
    }
    return inRange(number)
  }

  private static func satellite(
    _ constellation: SatellitesInView.Constellation, _ number: Int
  ) -> Satellite {
    (constellation, UInt16(number))
  }
}

extension Talker {
  /// The system number that GSA would give for this talker; `nil` for combined ones and instruments.
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
