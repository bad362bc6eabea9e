import WhereaboutsModel

/// The mode letter of NMEA 0183 2.3 and later: the kind of solution.
enum ModeIndicator: UInt8 {
  case autonomous = 0x41  // A
  case differential = 0x44  // D
  case estimated = 0x45  // E
  case floatRTK = 0x46  // F
  case manualInput = 0x4D  // M
  case notValid = 0x4E  // N
  case precise = 0x50  // P
  case fixedRTK = 0x52  // R
  case simulator = 0x53  // S

  /// The solution of a fix; `nil` without a fix.
  var solution: Fix.SolutionKind? {
    switch self {
    case .autonomous: .autonomous
    case .differential: .differential
    case .estimated: .deadReckoning
    case .floatRTK: .rtkFloat
    case .manualInput: .fixedPosition
    case .notValid: nil
    case .precise: .precise
    case .fixedRTK: .rtkFixed
    case .simulator: .simulated
    }
  }
}

/// The quality digit of GGA: the kind of solution.
enum FixQuality: Int {
  case notValid = 0
  case autonomous = 1
  case differential = 2
  case precise = 3
  case fixedRTK = 4
  case floatRTK = 5
  case estimated = 6
  case manualInput = 7
  case simulator = 8

  /// The solution of a fix; `nil` without a fix.
  var solution: Fix.SolutionKind? {
    switch self {
    case .notValid: nil
    case .autonomous: .autonomous
    case .differential: .differential
    case .precise: .precise
    case .fixedRTK: .rtkFixed
    case .floatRTK: .rtkFloat
    case .estimated: .deadReckoning
    case .manualInput: .fixedPosition
    case .simulator: .simulated
    }
  }
}
