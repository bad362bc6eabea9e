package import WhereaboutsModel

/// A request to the service, made from the engine's demand.
package struct GeoClueRequest: Hashable, Sendable {
  /// The level that should be enough.
  package var level: GeoClueAccuracy
  /// The accuracy that is enough, in metres at 68 %; infinite if any is.
  package var accuracy: Double
  /// The distance between two positions, at least, in metres.
  package var distanceThreshold: UInt32
  /// The time between two positions, at least, in seconds.
  package var timeThreshold: UInt32

  /// The request for significant changes: moves of some hundred metres, which wireless networks detect.
  private static let significantChanges = GeoClueRequest(
    level: .street, accuracy: .infinity, distanceThreshold: 100, timeThreshold: 0)

  private init(level: GeoClueAccuracy, accuracy: Double, distanceThreshold: UInt32, timeThreshold: UInt32) {
    self.level = level
    self.accuracy = accuracy
    self.distanceThreshold = distanceThreshold
    self.timeThreshold = timeThreshold
  }

  /// Creates the request; `nil` if no fix is needed. Thresholds are rounded down: a fix too many is better than one
  /// too few.
  package init?(_ demand: Demand) {
    switch demand.fixes {
    case .off: return nil
    case .significantChanges: self = Self.significantChanges
    case .continuous(let demand):
      self.init(
        level: GeoClueAccuracy(enoughFor: demand.accuracy), accuracy: demand.accuracy,
        distanceThreshold: UInt32(clampedFloor: demand.distanceFilter),
        timeThreshold: UInt32(clamping: max(0, demand.interval.components.seconds)))
    }
    if demand.watchesSignificantChanges { includeSignificantChanges() }
  }

  /// Lowers the thresholds, and raises the level, to those with which significant changes are detected.
  private mutating func includeSignificantChanges() {
    let changes = Self.significantChanges
    level = max(level, changes.level)
    distanceThreshold = min(distanceThreshold, changes.distanceThreshold)
    let seconds = SignificantChangeTerms.standard.interval.components.seconds
    timeThreshold = min(timeThreshold, UInt32(clamping: seconds))
  }
}

extension UInt32 {
  fileprivate init(clampedFloor number: Double) {
    self = number > 0 ? number >= Double(UInt32.max) ? .max : UInt32(number) : 0
  }
}
