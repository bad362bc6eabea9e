public import Foundation

/// A device with a person, driven by a script and a virtual clock.
///
/// A thread belongs to one device; ``attach()`` says to which. Breaches of the rules that end an app, or hang it, on
/// a real device are ``violations``.
@_spi(Simulation) public final class SimulatedDevice: @unchecked Sendable {
  /// A question to the person on the screen.
  public enum Dialog: Hashable, Sendable {
    case whenInUse
    /// The first question for always, which offers no more than while using.
    case always
    /// The question whether while using becomes always.
    case change
  }

  /// The person's answer to a dialog.
  public enum Answer: Hashable, Sendable {
    case whileUsing
    case once
    case no
    /// Change to always.
    case changeToAlways
    /// Keep only while using.
    case keepWhileUsing
  }

  private let lock = NSLock()
  private var state: DeviceState
  private var waiters: [(condition: @Sendable (Snapshot) -> Bool, resume: @Sendable () -> Void)] = []
  private var heldCallbacks: [() -> Void] = []
  private var lastNumber = 0
  private var launchProcess: @Sendable () -> Void = {}
  private let infoKeys: Set<String>
  private let backgroundModes: Set<String>
  private let purposeKeys: Set<String>
  /// Whether the device has a compass, and whether the platform's service of significant changes runs.
  public let hasCompass: Bool
  public let hasSignificantChanges: Bool
  /// Whether the device watches regions, and the greatest radius of one in metres.
  public let hasRegions: Bool
  public let greatestRegionRadius: Double

  /// A device whose app declares these.
  public init(
    infoKeys: Set<String>, backgroundModes: Set<String> = [], purposeKeys: Set<String> = [],
    hasCompass: Bool = true, hasSignificantChanges: Bool = true, hasRegions: Bool = true,
    greatestRegionRadius: Double = 500_000, now: Date
  ) {
    self.infoKeys = infoKeys
    self.backgroundModes = backgroundModes
    self.purposeKeys = purposeKeys
    self.hasCompass = hasCompass
    self.hasSignificantChanges = hasSignificantChanges
    self.hasRegions = hasRegions
    self.greatestRegionRadius = greatestRegionRadius
    state = DeviceState(now: now)
  }

  // MARK: Threads

  /// Makes this the device of the calling thread.
  public func attach() { Thread.current.threadDictionary["SimulatedDevice"] = self }

  static var ofThisThread: SimulatedDevice {
    guard let device = Thread.current.threadDictionary["SimulatedDevice"] as? SimulatedDevice else {
      preconditionFailure("this thread has no device")
    }
    return device
  }

  func declares(_ key: String) -> Bool { infoKeys.contains(key) }
  func declares(mode: String) -> Bool { backgroundModes.contains(mode) }
  func declares(purpose: String) -> Bool { purposeKeys.contains(purpose) }

  // MARK: State

  func withState<Result>(_ body: (inout DeviceState) -> Result) -> Result {
    let (result, due) = lock.withLock {
      let result = body(&state)
      let snapshot = Snapshot(state)
      let due = waiters.filter { $0.condition(snapshot) }
      waiters.removeAll { $0.condition(snapshot) }
      return (result, due)
    }
    for waiter in due { waiter.resume() }
    return result
  }

  /// The state of the device, with the requests that it received.
  public var snapshot: Snapshot { withState { Snapshot($0) } }

  /// Waits until the device does what is expected.
  public func wait(until condition: @escaping @Sendable (Snapshot) -> Bool) async {
    await withCheckedContinuation { continuation in
      lock.withLock { waiters.append((condition, { continuation.resume() })) }
      withState { _ in }
    }
  }

  /// Waits until each manager's thread has done everything up to now.
  public func settle() async {
    let loops = withState { state in state.managers.values.compactMap { $0.manager?.loop } }
    for loop in loops {
      await withCheckedContinuation { continuation in
        if loop.enqueue({ continuation.resume() }) { loop.wake() } else { continuation.resume() }
      }
    }
  }

  // MARK: Processes

  func setLaunch(_ launch: @escaping @Sendable () -> Void) { lock.withLock { launchProcess = launch } }

  func launch() { lock.withLock { launchProcess }() }

  /// The number of the newest manager; to be read with the state only.
  var lastManagerNumber: Int { lastNumber }

  // MARK: Managers

  func nextNumber() -> Int {
    lock.withLock {
      lastNumber += 1
      return lastNumber
    }
  }

  func add(_ manager: CLLocationManager) {
    withState {
      $0[manager].manager = manager
      if Thread.isMainThread { $0.violations.append("a manager on the main thread") }
    }
  }

  func delegateWasSet(_ manager: CLLocationManager) {
    let isFirst = change(manager, "delegate") { state in
      defer { state[manager].isTold = true }
      return !state[manager].isTold
    }
    guard isFirst else { return }
    notify(manager) { $1.locationManagerDidChangeAuthorization($0) }
    deliverLaunchEvents(manager)
  }

  func read<Result>(_ manager: CLLocationManager, _ body: (DeviceState) -> Result) -> Result {
    withState {
      check(manager, &$0)
      return body($0)
    }
  }

  @discardableResult
  func change<Result>(
    _ manager: CLLocationManager, _ call: String, _ body: (inout DeviceState) -> Result
  ) -> Result {
    withState {
      check(manager, &$0)
      // A process that is over changes nothing any more.
      guard manager.number > $0.lastOfEndedProcess else {
        var copy = $0
        return body(&copy)
      }
      $0.calls.append(call)
      return body(&$0)
    }
  }

  private func check(_ manager: CLLocationManager, _ state: inout DeviceState) {
    guard manager.loop !== CFRunLoop.currentIfAny else { return }
    state.violations.append("a call on another thread than the manager's")
  }

  func readsServices() -> Bool {
    withState {
      if Thread.isMainThread { $0.violations.append("locationServicesEnabled() on the main thread") }
      return $0.servicesAreOn
    }
  }

  // MARK: Callbacks

  /// Calls a manager's delegate on the manager's thread. Where there is none by then, the callback is lost.
  func notify(
    _ manager: CLLocationManager?,
    _ body: @escaping (CLLocationManager, any CLLocationManagerDelegate) -> Void
  ) {
    guard let manager, withState({ manager.number > $0.lastOfEndedProcess }) else { return }
    let loop = manager.loop
    let callback: () -> Void = { [weak manager] in
      guard let manager, let delegate = manager.delegate,
        manager.device.withState({ manager.number > $0.lastOfEndedProcess })
      else { return }
      body(manager, delegate)
    }
    let isHeld = lock.withLock {
      if state.isSuspended {
        heldCallbacks.append {
          loop.enqueue(callback); loop.wake()
        }
      }
      return state.isSuspended
    }
    guard !isHeld else { return }
    loop.enqueue(callback)
    loop.wake()
  }

  func tellAll(_ body: @escaping (CLLocationManager, any CLLocationManagerDelegate) -> Void) {
    for manager in withState({ $0.managers.values.compactMap(\.manager) }) { notify(manager, body) }
  }

  /// Suspends the process: nothing is delivered until ``resume()``.
  public func suspend() { withState { $0.isSuspended = true } }

  /// Resumes the process. The authorization is told again, before everything that was held.
  public func resume() {
    withState { $0.isSuspended = false }
    tellAll { $1.locationManagerDidChangeAuthorization($0) }
    let held = lock.withLock {
      defer { heldCallbacks = [] }
      return heldCallbacks
    }
    for callback in held { callback() }
  }
}
