package import WhereaboutsGeodesy

/// An imported fix, as the checks of a past read it.
package struct PastFix: Hashable, Sendable {
  /// The key of a fix in the history of its device.
  package struct Key: Hashable, Sendable {
    /// The time in nanoseconds since 1970.
    package var time: Int64
    /// The number of the fix in its device.
    package var seq: Int64

    /// Creates a key.
    package init(time: Int64, seq: Int64) {
      self.time = time
      self.seq = seq
    }
  }

  /// The key.
  package var key: Key
  /// The place.
  package var coordinate: Coordinate
  /// The stated horizontal accuracy in metres, 68 %; `nil` if absent.
  package var accuracy: Double?
  /// The number of the import that added the fix; 0 if unknown.
  package var source: Int

  /// Creates a fix.
  package init(key: Key, coordinate: Coordinate, accuracy: Double?, source: Int) {
    self.key = key
    self.coordinate = coordinate
    self.accuracy = accuracy
    self.source = source
  }
}

extension Int64 {
  /// Returns the difference of two times in nanoseconds, clamped to the range of `Int64`: two times of the range of
  /// `UTCTime` may be 584 years apart.
  func clampedDifference(from other: Int64) -> Int64 {
    let (difference, overflow) = subtractingReportingOverflow(other)
    guard overflow else { return difference }
    return other > 0 ? .min : .max
  }
}

extension PastFix {
  /// The greatest speed on the ground that counts as possible, in metres a second: faster than every train in service.
  static let topSpeed = 90.0
  /// The greatest share of a stated accuracy in a comparison, in metres.
  private static let greatestAccuracy = 5_000.0

  /// The resolution of the time in seconds: whole minutes and whole seconds may be rounded ones.
  var resolution: Double {
    if key.time % 60_000_000_000 == 0 { return 60 }
    return key.time % 1_000_000_000 == 0 ? 1 : 0
  }

  /// Seconds from an earlier fix to this one.
  func seconds(after other: PastFix) -> Double { (Double(key.time) - Double(other.key.time)) / 1e9 }

  /// Returns three times the stated accuracies of both fixes, in metres.
  func errorAllowance(with other: PastFix) -> Double {
    3 * (min(accuracy ?? 0, Self.greatestAccuracy) + min(other.accuracy ?? 0, Self.greatestAccuracy))
  }

  /// Returns whether one device can be at both fixes.
  func isReachable(from other: PastFix) -> Bool {
    let time = seconds(after: other).magnitude + max(resolution, other.resolution)
    let reach = Self.topSpeed * time + errorAllowance(with: other) + 100
    return coordinate.distance(to: other.coordinate) <= reach
  }
}
