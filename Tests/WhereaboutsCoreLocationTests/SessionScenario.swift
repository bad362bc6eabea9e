import Whereabouts

@testable import WhereaboutsCoreLocation

/// A session without a framework: a test sends events and reads the effects.
struct SessionScenario {
  typealias Effect = CoreLocationSession.Effect

  static let allDeclarations = CoreLocationDeclarations(
    hasWhenInUseText: true, hasAlwaysText: true, hasMacText: true, hasBackgroundMode: true)

  var session: CoreLocationSession
  var now = Instant.start

  init(
    _ platform: CoreLocationPlatform = .iOS, declarations: CoreLocationDeclarations = allDeclarations,
    background: ManagerSettings.Background = ManagerSettings.Background()
  ) {
    session = CoreLocationSession(
      platform: platform, declarations: declarations,
      settings: CoreLocationSettings(highestLevel: .always))
    handle(.background(background))
  }

  /// A session with permission that has handled a demand.
  static func running(
    _ demand: Demand = continuous(10), on platform: CoreLocationPlatform = .iOS,
    background: ManagerSettings.Background = ManagerSettings.Background()
  ) -> SessionScenario {
    var scenario = SessionScenario(platform, background: background)
    scenario.handle(.authorization(.allowed(.whenInUse)))
    scenario.handle(.demand(demand))
    return scenario
  }

  @discardableResult
  mutating func handle(_ event: CoreLocationSession.Event) -> [Effect] { session.handle(event, at: now) }

  mutating func signals(after event: CoreLocationSession.Event) -> [SourceSignal] {
    handle(event).compactMap { if case .emit(let signal) = $0 { signal } else { nil } }
  }

  /// Lets time pass, and wakes the session at each instant it names.
  mutating func advance(by duration: Duration) -> [Effect] {
    let end = now.advanced(by: duration)
    var effects: [Effect] = []
    while let due = session.nextWake, due <= end {
      now = max(now, due)
      effects += handle(.timerFired)
    }
    now = end
    return effects
  }

  static func continuous(
    _ accuracy: Double, distance: Double = 0, interval: Duration = .zero, activity: Activity = .other
  ) -> Demand {
    .continuous(
      Demand.Continuous(
        accuracy: accuracy, distanceFilter: distance, interval: interval, activity: activity))
  }

  static func settings(
    _ accuracy: UpdateSettings.Accuracy, distance: Double? = nil,
    activity: UpdateSettings.ActivityType = .other, pauses: Bool = false, background: Bool = false,
    indicator: Bool = false
  ) -> UpdateSettings {
    var settings = UpdateSettings(
      Demand.Continuous(accuracy: 10), background: ManagerSettings.Background(), hasBackgroundMode: false)
    settings.accuracy = accuracy
    settings.distanceFilter = distance
    settings.activity = activity
    settings.pausesAutomatically = pauses
    settings.allowsBackground = background
    settings.showsIndicator = indicator
    return settings
  }
}

/// A place in Munich, each second a little farther north.
func place(_ second: Int = 0, accuracy: Double = 5) -> LocationReading {
  LocationReading(
    latitude: 48.137 + Double(second) * 1e-5, longitude: 11.575, time: 1_795_282_170 + Double(second),
    horizontalAccuracy: accuracy)
}

extension SourceSignal {
  var isFix: Bool { if case .fix = self { true } else { false } }
}
