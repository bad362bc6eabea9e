import WhereaboutsModel
import WhereaboutsGeodesy

extension GPSDPosition {
  /// Returns the fix; `nil` without a position, or if the position is no valid place.
  ///
  /// - Parameters:
  ///   - sky: the device's last report of its satellites, if still valid.
  ///   - previous: the device's data of the instant before, if known.
  func fix(sky: GPSDSky?, after previous: GPSDPosition? = nil) -> Fix? {
    guard hasPosition, let latitude, let longitude,
      let coordinate = Coordinate(latitude: latitude, longitude: longitude)
    else { return nil }
    var fix = Fix(coordinate: coordinate, time: time, source: .gpsd)
    fix.mode = mode == 2 ? .twoD : .threeD
    fix.solution = solution
    fix.isSimulated = fix.solution == .simulated
    setHeights(of: &fix)
    if let speed, speed >= 0 { fix.speed = speed }
    fix.course = track?.wrappedDegrees
    fix.climb = climb
    fix.satellitesUsed = sky?.used
    fix.satellitesInView = sky?.inView
    fix.horizontalDilution = sky?.horizontalDilution
    fix.verticalDilution = sky?.verticalDilution
    fix.positionDilution = sky?.positionDilution
    setAccuracies(of: &fix, after: previous)
    return fix
  }

  /// Sets the heights: two of ellipsoidal height, sea-level height and geoid separation determine the third.
  private func setHeights(of fix: inout Fix) {
    fix.heightAboveEllipsoid = heightAboveEllipsoid
    fix.heightAboveGeoid = heightAboveGeoid
    // From 3.20 on, `alt` is deprecated and either of the two; before, it is the only height.
    if heightAboveEllipsoid == nil, heightAboveGeoid == nil { fix.heightAboveGeoid = altitude }
    // The two surfaces are at most 110 m apart. A far greater value is damage, and sums of it may not be finite.
    guard let geoidSeparation, geoidSeparation.magnitude < 1000 else { return }
    if let height = fix.heightAboveEllipsoid, fix.heightAboveGeoid == nil {
      fix.heightAboveGeoid = (height - geoidSeparation).roundedToTenThousandths
    } else if let height = fix.heightAboveGeoid, fix.heightAboveEllipsoid == nil {
      fix.heightAboveEllipsoid = (height + geoidSeparation).roundedToTenThousandths
    }
  }

  /// gpsd leaves 0 (unknown) and 1 (normal) out, so that absent is unknown.
  private var solution: Fix.SolutionKind? {
    switch status {
    case 1: .autonomous
    case 2: .differential
    case 3: .rtkFixed
    case 4: .rtkFloat
    case 5: .deadReckoning
    case 6: .satellitesAndDeadReckoning
    case 7: .fixedPosition
    case 8: .simulated
    case 9: .precise
    default: nil
    }
  }

  private func setAccuracies(of fix: inout Fix, after previous: GPSDPosition?) {
    let estimate = ErrorEstimate(self)
    fix.horizontalAccuracy = estimate.horizontal
    if mode != 2 { fix.verticalAccuracy = estimate.vertical }
    setVelocityAccuracies(of: &fix, after: previous)
    if fix.horizontalAccuracy == nil, let dilution = fix.horizontalDilution,
      let accuracy = RangingError.accuracy(dilution: dilution)
    {
      fix.horizontalAccuracy = accuracy
      fix.isAccuracyEstimated = true
    }
  }

  /// Sets the accuracies of speed and course, unless gpsd has computed them from the errors of positions.
  private func setVelocityAccuracies(of fix: inout Fix, after previous: GPSDPosition?) {
    let errorSpeed = errorSpeed?.positive, errorTrack = errorTrack?.positive
    if let errorSpeed, isComputed(errorSpeed: errorSpeed, after: previous) { return }
    fix.speedAccuracy = errorSpeed.map { ($0 * ErrorEstimate.deviationOf95).roundedToThousandths }
    fix.courseAccuracy = errorTrack.map { ($0 * ErrorEstimate.deviationOf95).roundedToThousandths }
  }

  /// Returns whether gpsd has computed `eps` from the errors of positions, because the receiver states no error of its
  /// speed.
  ///
  /// Such a value is no accuracy of the speed, which the receiver measures by the Doppler shift: with NMEA 0183, it is
  /// some 20 m/s at any speed. Without the receiver's `eps`, gpsd sets it to the sum of the previous and the present
  /// position's error, divided by the time between them. The error is the larger of `epx` and `epy`; without these,
  /// gpsd computes no `eps`. So `eps` is a computed one if it
  ///
  /// - equals this quotient; or
  /// - is at least the present position's error in one second, as the quotient is for positions up to two seconds
  ///   apart. This needs no previous position. A receiver's own `eps` is a fraction of the position's error.
  ///
  /// Where `eps` is computed, the receiver states no `epd` either.
  ///
  /// - Source: `gpsd_error_model` in gpsd/libgpsd_core.c of gpsd's source.
  private func isComputed(errorSpeed: Double, after previous: GPSDPosition?) -> Bool {
    guard let error = errorOnAxis else { return false }
    if errorSpeed >= error { return true }
    guard let time, let before = previous?.time, let errorBefore = previous?.errorOnAxis else { return false }
    let quotient = (error + errorBefore) / time.seconds(since: before).magnitude
    // gpsd writes hundredths. The error before may have changed after its report.
    return (errorSpeed - quotient).magnitude <= 0.01 + quotient / 10
  }

  /// The larger error of the position on an axis, in metres; `nil` unless both are stated.
  private var errorOnAxis: Double? {
    guard let east = errorEast?.positive, let north = errorNorth?.positive else { return nil }
    return max(east, north)
  }
}

extension ErrorEstimate {
  /// The standard deviation of a normal distribution in units of the half-width that holds 95 % of it.
  static let deviationOf95 = 1 / 1.95996

  /// The radius of the circle that holds 68.27 % of a circular normal distribution in units of the one that holds 95 %.
  static let radiusOf95 = circleOf68 / 2.44775

  /// The radius of the circle that holds 68.27 % of a circular normal distribution, in standard deviations on one axis.
  static let circleOf68 = 1.51517

  /// Creates the accuracies from gpsd's estimates, which are at 95 %.
  ///
  /// `eph` is the radius of a circle; `epx`, `epy` and `epv` are half-widths on one axis each. gpsd multiplies the
  /// dilutions by ranging errors that its source states at 95 %, or forwards a receiver's own values. Its manual,
  /// gpsd_json(5), used to state "95% confidence" for each; now it calls this a guess, because many receivers don't
  /// state it.
  /// `eph` has precedence: where a receiver states its own dilution or error, `eph` is computed from that, while the
  /// other two are computed from a geometry that gpsd derives.
  fileprivate init(_ position: GPSDPosition) {
    if let radius = position.errorHorizontal?.positive {
      self.init(latitude: nil, longitude: nil, height: nil)
      horizontal = (radius * Self.radiusOf95).roundedToThousandths
    } else {
      self.init(
        latitude: position.errorNorth?.positive.map { $0 * Self.deviationOf95 },
        longitude: position.errorEast?.positive.map { $0 * Self.deviationOf95 }, height: nil)
      horizontal = horizontal?.roundedToThousandths
    }
    vertical = position.errorVertical?.positive.map { ($0 * Self.deviationOf95).roundedToThousandths }
  }
}

extension Double {
  /// `nil` where it is 0 or less, or larger than the Earth, which is no error but an unknown one.
  fileprivate var positive: Double? { self > 0 && self < 1e8 ? self : nil }

  /// gpsd writes millimetres; more digits would only be those of the multiplication.
  fileprivate var roundedToThousandths: Double { (self * 1000).rounded() / 1000 }

  /// gpsd writes heights in tenths of a millimetre.
  fileprivate var roundedToTenThousandths: Double {
    magnitude < 1e9 ? (self * 10_000).rounded() / 10_000 : self
  }
}
