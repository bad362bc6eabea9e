package import WhereaboutsCore

/// What the service is asked for, made of what the engine asks for.
package struct ServiceWish: Hashable, Sendable {
  /// The level that should do.
  package var level: GeoClueAccuracy
  /// The accuracy that is enough, in metres at 68 %; infinite where any is.
  package var accuracy: Double
  /// The least movement that is told, in metres.
  package var distanceThreshold: UInt32
  /// The least time between two positions, in seconds.
  package var timeThreshold: UInt32

  /// Large moves matter from some hundred metres on, which wireless networks tell.
  private static let significantChanges = ServiceWish(
    level: .street, accuracy: .infinity, distanceThreshold: 100, timeThreshold: 0)

  private init(level: GeoClueAccuracy, accuracy: Double, distanceThreshold: UInt32, timeThreshold: UInt32) {
    self.level = level
    self.accuracy = accuracy
    self.distanceThreshold = distanceThreshold
    self.timeThreshold = timeThreshold
  }

  /// `nil` where no fix is needed. Thresholds are rounded down: rather a fix too many.
  package init?(_ demand: FixDemand) {
    switch demand {
    case .off: return nil
    case .significantChanges: self = Self.significantChanges
    case .continuous(let demand):
      self.init(
        level: GeoClueAccuracy(enoughFor: demand.accuracy), accuracy: demand.accuracy,
        distanceThreshold: UInt32(clampedFloor: demand.distanceFilter),
        timeThreshold: UInt32(clamping: max(0, demand.interval.components.seconds)))
    }
  }
}

extension UInt32 {
  fileprivate init(clampedFloor number: Double) {
    self = number > 0 ? number >= Double(UInt32.max) ? .max : UInt32(number) : 0
  }
}
