public import WhereaboutsModel
import WhereaboutsGeodesy

/// An encoder of NMEA 0183, so that chart plotters and navigation programs can use fixes of any source.
///
/// A fix becomes RMC, GGA and GSA, and GST if its accuracy is known; satellites in view become GSV. Sentences are
/// those of version 4.10, with checksums, and end with CR LF; none exceeds the standard's 82 characters. The talker
/// is `GP` if only GPS is used or nothing is known, else `GN`.
///
/// - Position: minutes with six decimals, 2 mm. Speed in knots and course with two decimals, heights with two (RMC,
///   GGA).
/// - Time: hundredths of a second, or thousandths if the time has them. A fix without a time has an empty field,
///   which most programs refuse.
/// - GST: the accuracies as standard deviations, alike north and east: 1 / 1.515 of the horizontal one.
public struct NMEAEncoder: Sendable {
  private var systems: Set<Int> = []
  private var usedSatellites: [SatellitesInView.Satellite] = []

  /// Creates an encoder without known satellites.
  public init() {}

  /// Appends the sentences of a fix.
  public func append(_ fix: Fix, to bytes: inout [UInt8]) {
    appendRMC(fix, to: &bytes)
    appendGGA(fix, to: &bytes)
    appendGSA(fix, to: &bytes)
    appendGST(fix, to: &bytes)
  }

  /// Appends a report that there is no position.
  public func appendNoPosition(to bytes: inout [UInt8]) {
    bytes.appendSentence("GPRMC,,V,,,,,,,,,,N")
    bytes.appendSentence("GPGGA,,,,,,0,,,,M,,M,,")
    bytes.appendSentence("GPGSA,A,1,,,,,,,,,,,,,,,")
  }

  /// Appends the sentences of satellites in view, and keeps the used satellites for the following fixes.
  public mutating func append(_ sky: SatellitesInView, to bytes: inout [UInt8]) {
    usedSatellites = sky.satellites.filter(\.isUsed)
    systems = Set(usedSatellites.compactMap(\.constellation.nmeaSystem))
    for system in 1...6 {
      let satellites = sky.satellites.filter { $0.constellation.nmeaSystem == system }
      appendGSV(satellites, system: system, to: &bytes)
    }
  }

  /// Appends a heading: HDT or HDM. A compass heading, with deviation, is left out.
  public func append(_ heading: Heading, to bytes: inout [UInt8]) {
    guard heading.reference != .compassNorth else { return }
    let isTrue = heading.reference == .trueNorth
    bytes.appendSentence {
      $0.append(isTrue ? "HEHDT," : "HEHDM,")
      $0.appendDegrees(heading.degrees, places: 1)
      $0.append(isTrue ? ",T" : ",M")
    }
  }

  // MARK: - Sentences

  private func appendRMC(_ fix: Fix, to bytes: inout [UInt8]) {
    bytes.appendSentence {
      $0.append(talker)
      $0.append("RMC,")
      $0.appendTimeOfDay(fix.time)
      $0.append(",A,")
      $0.appendNMEA(fix.coordinate)
      $0.append(",")
      $0.appendFixed(fix.speed.map { $0 / Self.metresPerSecondInAKnot }, places: 2)
      $0.append(",")
      $0.appendDegrees(fix.course, places: 2)
      $0.append(",")
      $0.appendDate(fix.time)
      $0.append(",,,")
      $0.append(fix.nmeaMode)
    }
  }

  private func appendGGA(_ fix: Fix, to bytes: inout [UInt8]) {
    bytes.appendSentence {
      $0.append(talker)
      $0.append("GGA,")
      $0.appendTimeOfDay(fix.time)
      $0.append(",")
      $0.appendNMEA(fix.coordinate)
      $0.append(",")
      $0.appendDecimal(fix.nmeaQuality)
      $0.append(",")
      if let count = fix.satellitesUsed { $0.appendDigits(min(Int(count), 99), count: 2) }
      $0.append(",")
      $0.appendFixed(fix.horizontalDilution.map(Double.init), places: 1)
      $0.append(",")
      // A height above the ellipsoid alone has no place in this sentence without the separation.
      $0.appendFixed(fix.heightAboveGeoid, places: 2)
      $0.append(",M,")
      $0.appendFixed(fix.geoidSeparation, places: 1)
      $0.append(",M,,")
    }
  }

  /// Appends one sentence for each used system, or one that states the mode where no system is known.
  private func appendGSA(_ fix: Fix, to bytes: inout [UInt8]) {
    let hasHeight = fix.heightAboveGeoid ?? fix.heightAboveEllipsoid != nil
    let mode = Int((fix.mode ?? (hasHeight ? .threeD : .twoD)).rawValue)
    for system in systems.isEmpty ? [0] : systems.sorted() {
      let satellites = usedSatellites.filter { $0.constellation.nmeaSystem == system }.prefix(12)
      bytes.appendSentence {
        $0.append(talker)
        $0.append("GSA,A,")
        $0.appendDecimal(mode)
        for place in 0..<12 {
          $0.append(",")
          if place < satellites.count {
            $0.appendDigits(Int(satellites[satellites.startIndex + place].number), count: 2)
          }
        }
        for dilution in [fix.positionDilution, fix.horizontalDilution, fix.verticalDilution] {
          $0.append(",")
          $0.appendFixed(dilution.map(Double.init), places: 1)
        }
        $0.append(",")
        if system > 0 { $0.appendDecimal(system) }
      }
    }
  }

  private func appendGST(_ fix: Fix, to bytes: inout [UInt8]) {
    guard let accuracy = fix.horizontalAccuracy, accuracy.isFinite, accuracy > 0 else { return }
    let deviation = accuracy / ErrorEstimate.circleOf68
    bytes.appendSentence {
      $0.append(talker)
      $0.append("GST,")
      $0.appendTimeOfDay(fix.time)
      $0.append(",,,,,")
      $0.appendFixed(deviation, places: 3)
      $0.append(",")
      $0.appendFixed(deviation, places: 3)
      $0.append(",")
      $0.appendFixed(fix.verticalAccuracy, places: 3)
    }
  }

  private func appendGSV(
    _ satellites: [SatellitesInView.Satellite], system: Int, to bytes: inout [UInt8]
  ) {
    let sentences = min((satellites.count + 3) / 4, 9)
    for sentence in 0..<sentences {
      bytes.appendSentence {
        $0.append(Self.talkers[system - 1])
        $0.append("GSV,")
        $0.appendDecimal(sentences)
        $0.append(",")
        $0.appendDecimal(sentence + 1)
        $0.append(",")
        $0.appendDigits(min(satellites.count, 99), count: 2)
        for satellite in satellites.dropFirst(4 * sentence).prefix(4) {
          $0.append(",")
          $0.appendDigits(Int(satellite.number), count: satellite.number > 99 ? 3 : 2)
          $0.append(",")
          if let elevation = satellite.elevation { $0.appendFixed(Double(elevation), places: 0, digits: 2) }
          $0.append(",")
          if let azimuth = satellite.azimuth {
            $0.appendDigits(Int(azimuth.rounded()) % 360, count: 3)
          }
          $0.append(",")
          if let signal = satellite.signal { $0.appendFixed(Double(signal), places: 0, digits: 2) }
        }
      }
    }
  }

  private var talker: StaticString { systems.isSubset(of: [1]) ? "GP" : "GN" }

  /// The talkers, by the system number less 1.
  private static let talkers: [StaticString] = ["GP", "GL", "GA", "GB", "GQ", "GI"]

  private static let metresPerSecondInAKnot = 1852.0 / 3600
}

extension SatellitesInView.Constellation {
  /// The system number of GSA; satellite-based augmentation goes with GPS. `nil` where the system is not known.
  fileprivate var nmeaSystem: Int? {
    switch self {
    case .gps, .sbas: 1
    case .glonass: 2
    case .galileo: 3
    case .beidou: 4
    case .qzss: 5
    case .navic: 6
    case .unknown: nil
    }
  }
}

extension Fix {
  /// The mode letter of RMC.
  fileprivate var nmeaMode: StaticString {
    if isSimulated { return "S" }
    return switch solution {
    case .differential: "D"
    case .rtkFixed: "R"
    case .rtkFloat: "F"
    case .precise: "P"
    case .deadReckoning: "E"
    case .fixedPosition: "M"
    case .simulated: "S"
    case .autonomous, .satellitesAndDeadReckoning, nil: "A"
    }
  }

  /// The quality of GGA.
  fileprivate var nmeaQuality: Int {
    if isSimulated { return 8 }
    return switch solution {
    case .differential: 2
    case .precise: 3
    case .rtkFixed: 4
    case .rtkFloat: 5
    case .deadReckoning: 6
    case .fixedPosition: 7
    case .simulated: 8
    case .autonomous, .satellitesAndDeadReckoning, nil: 1
    }
  }
}
