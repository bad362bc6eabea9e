@_spi(Simulation) import CoreLocation
import Foundation
import Whereabouts
import WhereaboutsTesting

@testable import CoreLocationAdapter

/// The clock at the start of each scene.
let start = Date(timeIntervalSince1970: 1_795_282_170)

/// A simulated device and a source on it, run by a test in place of a manager: the test demands, and reads the signals.
final class DeviceScene: Sendable {
  static let allKeys: Set<String> = [
    "NSLocationWhenInUseUsageDescription", "NSLocationAlwaysAndWhenInUseUsageDescription",
    "NSLocationUsageDescription",
  ]

  let device: SimulatedDevice
  let clock = StepClock()
  let source: CoreLocationSource
  let signals = SignalLog()
  private let demands: AsyncStream<Demand>.Continuation
  private let requests: AsyncStream<Authorization.Level>.Continuation
  private let running: Task<Void, Never>

  init(
    keys: Set<String> = allKeys, modes: Set<String> = ["location"], purposes: Set<String> = [],
    status: CLAuthorizationStatus = SimulatedDevice.whileUsing, hasCompass: Bool = true,
    hasSignificantChanges: Bool = true, hasRegions: Bool = true, greatestRegionRadius: Double = 500_000,
    highest: Authorization.Level = .always, hasAuthorizationRequests: Bool = true,
    background: ManagerSettings.Background = ManagerSettings.Background()
  ) {
    let device = SimulatedDevice(
      infoKeys: keys, backgroundModes: modes, purposeKeys: purposes, hasCompass: hasCompass,
      hasSignificantChanges: hasSignificantChanges, hasRegions: hasRegions,
      greatestRegionRadius: greatestRegionRadius, now: start)
    device.setStatus(status)
    self.device = device
    source = CoreLocationSource(
      on: device, keys: keys, modes: modes, highest: highest, clock: SessionClock(clock))
    let (demandsOut, demandsIn) = AsyncStream.makeStream(of: Demand.self)
    let (requestsOut, requestsIn) = AsyncStream.makeStream(of: Authorization.Level.self)
    (demands, requests) = (demandsIn, requestsIn)
    if !hasAuthorizationRequests { requestsIn.finish() }
    let link = SourceLink(
      demands: demandsOut, authorizationRequests: requestsOut, background: background
    ) { [signals] signal, _ in
      if let signal { await signals.append(signal) }
      return SourceLink.Status(demand: .off)
    }
    running = Task { [source] in await source.run(link) }
  }

  func demand(_ demand: Demand) { demands.yield(demand) }

  func demandFixes(_ accuracy: Double = 10, distance: Double = 0, activity: Activity = .other) {
    demand(
      .continuous(Demand.Continuous(accuracy: accuracy, distanceFilter: distance, activity: activity)))
  }

  func requestAuthorization(_ level: Authorization.Level) { requests.yield(level) }

  /// Demands fixes and waits until Core Location is asked for them.
  func startFixes() async {
    demandFixes()
    await device.wait { $0.isUpdating || $0.isRequesting }
  }

  /// Ends the demands, as a manager that is gone; returns what Core Location was asked for until then.
  func end() async -> SimulatedDevice.Snapshot {
    demands.finish()
    requests.finish()
    await running.value
    await device.settle()
    return device.snapshot
  }
}

extension CoreLocationSource {
  /// A source on a simulated device whose app declares these keys.
  init(
    on device: SimulatedDevice, keys: Set<String>, modes: Set<String>, highest: Authorization.Level,
    clock: SessionClock
  ) {
    self.init(
      CoreLocationSettings(highestLevel: highest),
      declarations: CoreLocationDeclarations(
        text: { keys.contains($0) ? "Why" : nil },
        list: { $0 == CoreLocationDeclarations.backgroundModesKey ? Array(modes) : nil },
        texts: { _ in nil }),
      platform: .current, clock: clock
    ) {
      device.attach()
      return CLLocationManager()
    }
  }
}

/// The signals of a source, in order.
actor SignalLog {
  private(set) var all: [SourceSignal] = []
  private var waiters:
    [(condition: ([SourceSignal]) -> Bool, continuation: CheckedContinuation<Void, Never>)] = []

  func append(_ signal: SourceSignal) {
    all.append(signal)
    for waiter in waiters where waiter.condition(all) { waiter.continuation.resume() }
    waiters.removeAll { $0.condition(all) }
  }

  /// Waits until the signals are as expected, and returns them.
  @discardableResult
  func wait(until condition: @escaping @Sendable ([SourceSignal]) -> Bool) async -> [SourceSignal] {
    if !condition(all) { await withCheckedContinuation { waiters.append((condition, $0)) } }
    return all
  }

  /// Waits for a signal, and returns it.
  @discardableResult
  func wait(for signal: SourceSignal) async -> [SourceSignal] { await wait { $0.contains(signal) } }
}

extension [SourceSignal] {
  var fixes: [Fix] { compactMap { if case .fix(let fix, _) = $0 { fix } else { nil } } }
  var authorizations: [Authorization.Status] {
    compactMap { if case .authorization(let authorization) = $0 { authorization.status } else { nil } }
  }
}

/// A place on a line north of Munich.
func munich(_ meters: Double = 0, at seconds: TimeInterval = 0, accuracy: Double = 5) -> CLLocation {
  CLLocation(
    latitude: 48.137 + meters / 111_195, longitude: 11.575, at: start.addingTimeInterval(seconds),
    horizontalAccuracy: accuracy)
}

/// Permission while in use; on a Mac that is always.
let inUse: Authorization.Status = SimulatedDevice.whileUsing == .authorizedAlways ? .always : .whenInUse
