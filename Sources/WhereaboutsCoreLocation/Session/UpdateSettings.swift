import Whereabouts
import WhereaboutsModel

/// The properties of a location manager that a demand sets.
struct UpdateSettings: Hashable, Sendable {
  enum Accuracy: Hashable, Sendable {
    case best, tenMeters, hundredMeters, kilometer, threeKilometers
  }

  enum ActivityType: Hashable, Sendable {
    case other, automotiveNavigation, fitness, otherNavigation, airborne
  }

  var accuracy: Accuracy
  /// The least movement in metres; `nil` for every fix.
  var distanceFilter: Double?
  var activity: ActivityType
  var pausesAutomatically: Bool
  var allowsBackground: Bool
  var showsIndicator: Bool

  /// Settings for a demand. Core Location has no interval, so a demand's interval is not used.
  ///
  /// - Parameter hasBackgroundMode: whether the app may have updates in the background: allowing them without the
  ///   declaration ends the app.
  init(_ demand: Demand.Continuous, background: ManagerSettings.Background, hasBackgroundMode: Bool) {
    // The coarsest constant that is enough. Asked for 100 m, Core Location need not reach a demand of 25 m.
    switch demand.accuracy {
    case 3000...: accuracy = .threeKilometers
    case 1000...: accuracy = .kilometer
    case 100...: accuracy = .hundredMeters
    case 10...: accuracy = .tenMeters
    default: accuracy = .best  // Also for what is not a number.
    }
    distanceFilter = demand.distanceFilter > 0 && demand.distanceFilter.isFinite ? demand.distanceFilter : nil
    activity =
      switch demand.activity {
      case .other: .other
      case .walk, .run, .bike: .fitness
      case .car: .automotiveNavigation
      case .boat: .otherNavigation
      case .air: .airborne
      }
    pausesAutomatically = background.pausesAutomatically
    allowsBackground = background.allowsUpdates && hasBackgroundMode
    showsIndicator = background.showsIndicator && allowsBackground
  }

  /// Removes the settings for which iOS 16.4 and later suspend an app in the background: beside significant changes, a
  /// distance filter or an accuracy coarser than 100 m. The indicator prevents the suspension too. The engine filters
  /// every fix by itself.
  ///
  /// - Source: an answer by Apple, https://developer.apple.com/forums/thread/726945
  mutating func preventSuspension() {
    guard allowsBackground, !showsIndicator else { return }
    distanceFilter = nil
    switch accuracy {
    case .best, .tenMeters, .hundredMeters: break
    case .kilometer, .threeKilometers: accuracy = .hundredMeters
    }
  }
}

extension CoreLocationSession {
  /// The demand for continuous fixes; `nil` without a demand for fixes. On a platform without significant changes, the
  /// fixes are enough to detect them.
  var continuousDemand: Demand.Continuous? {
    guard let demand else { return nil }
    switch demand.fixes {
    case .off: return nil
    case .significantChanges: return Self.significantChangesDemand
    case .continuous(let wanted):
      guard demand.watchesSignificantChanges, !platform.hasSignificantChanges else { return wanted }
      var both = wanted.merged(with: Self.significantChangesDemand)
      both.activity = wanted.activity
      return both
    }
  }

  /// The demand that stands in for significant changes where a platform has none. Its interval is the least time between
  /// two changes; only single locations have one.
  private static let significantChangesDemand = Demand.Continuous(
    accuracy: 1000, distanceFilter: SignificantChangeTerms.standard.distance,
    interval: SignificantChangeTerms.standard.interval)
}
