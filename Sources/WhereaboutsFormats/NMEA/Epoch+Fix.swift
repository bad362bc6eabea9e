import WhereaboutsModel
import WhereaboutsGeodesy

extension Epoch {
  /// Appends the fix that this instant's sentences make together; nothing without a position.
  ///
  /// A fix has 200 bytes: it is appended here since each return of an optional one copies it several times. The method
  /// changes nothing. It is mutating, and the one that sets the accuracies is static, since the instant would be copied
  /// for the call otherwise.
  @inline(never)
  mutating func appendFix(
    to elements: inout [RecordingElement], held: borrowing RecentValues,
    rangingErrors: NMEADecoder.RangingErrors
  ) {
    guard let position,
      let coordinate = Coordinate(latitude: position.latitude, longitude: position.longitude)
    else { return }
    var fix = Fix(coordinate: coordinate, time: instant, source: .nmea)
    fix.heightAboveGeoid = altitude
    fix.heightAboveEllipsoid = heightAboveEllipsoid
    if let altitude, let geoidSeparation {
      // Both are decimals with few digits; their binary sum would have meaningless further digits.
      fix.heightAboveEllipsoid = ((altitude + geoidSeparation) * 10_000).rounded() / 10_000
    }
    if let speed, speed >= 0 { fix.speed = speed }
    fix.course = course?.wrappedDegrees
    fix.climb = climb
    fix.mode = mode(held: held)
    fix.solution = solution
    fix.isSimulated = fix.solution == .simulated
    let used = satellitesUsed.map { $0 == 12 ? max($0, satellitesListed) : $0 }
    fix.satellitesUsed = (used ?? (satellitesListed > 0 ? satellitesListed : nil)).flatMap(
      UInt8.init(exactly:))
    fix.satellitesInView = held.satellitesInView(at: time)
    let dilutions = held.dilutions(at: time)
    fix.horizontalDilution = (horizontalDilution ?? dilutions?.horizontal).map(Float.init)
    fix.verticalDilution = (verticalDilution ?? dilutions?.vertical).map(Float.init)
    fix.positionDilution = (positionDilution ?? dilutions?.position).map(Float.init)
    Self.setAccuracy(
      of: &fix, stated: gst ?? gbs ?? pgrme ?? pubx, isFlat: mode == .twoD || fix.mode == .twoD,
      rangingErrors: rangingErrors)
    elements.append(.fix(fix))
  }

  /// Returns 3D with a height, else GSA's mode, else GSA's recent mode, else 2D.
  ///
  /// A height comes first as in gpsd, whose modes programs expect: some receivers keep sending 2D in GSA while they
  /// give heights. Such a fix has no vertical accuracy.
  private func mode(held: RecentValues) -> Fix.Mode {
    if altitude != nil || heightAboveEllipsoid != nil { return .threeD }
    return mode ?? held.mode(at: time) ?? .twoD
  }

  /// The solution by GGA, unless the mode letter of another sentence is more specific.
  @inline(__always)
  private var solution: Fix.SolutionKind? {
    switch quality {
    // In versions before 2.3, and in receivers that still follow them, 1 is any fix. Phones write 7 for theirs.
    case .autonomous, .manualInput, nil: indicator?.solution ?? quality?.solution
    default: quality?.solution
    }
  }

  /// Sets the accuracies: those that a sentence states, else estimates.
  ///
  /// - Parameter isFlat: whether the fix has no vertical accuracy.
  private static func setAccuracy(
    of fix: inout Fix, stated: ErrorEstimate?, isFlat: Bool, rangingErrors: NMEADecoder.RangingErrors
  ) {
    fix.horizontalAccuracy = stated?.horizontal
    fix.verticalAccuracy = stated?.vertical
    if stated?.horizontal == nil, let meters = rangingErrors.meters(for: fix.solution) {
      let estimate = ErrorEstimate(
        horizontalDilution: fix.horizontalDilution.map(Double.init),
        verticalDilution: fix.verticalDilution.map(Double.init),
        positionDilution: fix.positionDilution.map(Double.init), rangingError: meters)
      fix.horizontalAccuracy = estimate.horizontal
      fix.verticalAccuracy = fix.verticalAccuracy ?? estimate.vertical
      fix.isAccuracyEstimated = estimate.horizontal != nil || estimate.vertical != nil
    }
    if isFlat { fix.verticalAccuracy = nil }
  }
}
