@_spi(Simulation) import CoreLocation
import Foundation
import Testing
import Whereabouts
import WhereaboutsTesting

@testable import CoreLocationAdapter

#if !APPLE_TVOS
  /// Two managers that live through the same events: one over Core Location, one over a scripted source.
  final class ComparedPlay {
    enum Step {
      case request(AccuracyLevel, timeout: Duration?)
      case cancelOldest
      case subscribe
      case unsubscribe
      case wait(seconds: Int)
      case move(meters: Double, accuracy: Double)
      case answer(SimulatedDevice.Answer)
      case deny
      case allow
      case error

      static func random(using random: inout SeededGenerator) -> Step {
        switch Int.random(in: 0..<20, using: &random) {
        case 0..<4:
          .request(
            [AccuracyLevel.room, .house, .block, .city].randomElement(using: &random) ?? .house,
            timeout: Bool.random(using: &random) ? .seconds(Int.random(in: 1...60, using: &random)) : nil)
        case 4: .cancelOldest
        case 5: .subscribe
        case 6: .unsubscribe
        case 7..<11: .wait(seconds: Int.random(in: 1...90, using: &random))
        case 11..<16:
          .move(
            meters: .random(in: -200...200, using: &random),
            accuracy: [-1, 3, 12, 60, 400, 3000].randomElement(using: &random) ?? 3)
        case 16: .answer([.whileUsing, .once, .no].randomElement(using: &random) ?? .no)
        case 17: .deny
        case 18: .allow
        default: .error
        }
      }
    }

    private let device: SimulatedDevice
    private let clocks: [StepClock]
    private let scripted: ScriptedSource
    private let counting: CountingSource
    private let managers: [LocationManager]
    private var requests: [[LocationRequest]] = [[], []]
    private var listeners: [[Task<[Fix], Never>]] = [[], []]
    private var position = 0.0
    private var cached: Fix?
    private var isRunning = false
    private var fixCount = 0
    private var startCount = 0
    /// The steps so far, for a failure.
    private var history: [Step] = []

    init() {
      device = SimulatedDevice(infoKeys: DeviceScene.allKeys, now: start)
      let wall = UTCTime(secondsSince1970: start.timeIntervalSince1970)
      clocks = [StepClock(wall: wall), StepClock(wall: wall)]
      scripted = ScriptedSource(authorizationNeeds: .userConsent(requestable: [.whenInUse]))
      counting = CountingSource(
        CoreLocationSource(
          on: device, keys: DeviceScene.allKeys, modes: [], highest: .whenInUse,
          clock: SessionClock(clocks[0])))
      managers = [
        LocationManager(
          source: counting, clock: clocks[0].managerClock,
          settings: ManagerSettings(authorizationPrompt: .automatically(preferred: .whenInUse))),
        LocationManager(
          source: scripted, clock: clocks[1].managerClock,
          settings: ManagerSettings(authorizationPrompt: .automatically(preferred: .whenInUse))),
      ]
    }

    func perform(_ step: Step) async {
      history.append(step)
      switch step {
      case .request(let level, let timeout):
        for side in 0...1 { requests[side].append(managers[side].request(level, timeout: timeout)) }
      case .cancelOldest:
        guard !requests[0].isEmpty else { return }
        for side in 0...1 { requests[side].first?.cancel() }
      case .subscribe:
        guard listeners[0].isEmpty else { return }
        for side in 0...1 {
          let fixes = managers[side].fixes(.city, keeping: .all(upTo: 10_000))
          listeners[side].append(
            Task {
              var all: [Fix] = []
              for await fix in fixes { all.append(fix) }
              return all
            })
        }
      case .unsubscribe: await endListening()
      case .wait(let seconds):
        device.advance(by: TimeInterval(seconds))
        for side in 0...1 {
          await clocks[side].advance(by: .seconds(seconds))
          await managers[side].waitUntilProcessed()
        }
      case .move(let meters, let accuracy): await move(meters, accuracy)
      case .answer(let answer):
        guard device.snapshot.dialog != nil else { return }
        device.answer(answer)
        await scripted.emit(currentAuthorization)
      case .deny: await setStatus(.denied)
      case .allow: await setStatus(SimulatedDevice.whileUsing)
      case .error: device.fail(CLError(.locationUnknown))
      }
    }

    private func setStatus(_ status: CLAuthorizationStatus) async {
      guard device.snapshot.dialog == nil else { return }
      device.setStatus(status)
      await scripted.emit(currentAuthorization)
    }

    private var currentAuthorization: Authorization {
      let status = device.snapshot.status
      let reading: AuthorizationReading =
        switch status {
        case .notDetermined: .notDetermined
        case SimulatedDevice.whileUsing: .allowed(inUse == .always ? .always : .whenInUse)
        default: .refused(.denied)
        }
      return reading.authorization(on: .current)
    }

    private func move(_ meters: Double, _ accuracy: Double) async {
      position += meters
      let location = CLLocation(
        latitude: 48.137 + position / 111_195, longitude: 11.575, at: device.now, horizontalAccuracy: accuracy
      )
      let latitude = location.coordinate.latitude
      var fix = Fix.test(
        latitude: latitude, longitude: 11.575, accuracy: accuracy,
        time: UTCTime(secondsSince1970: location.timestamp.timeIntervalSince1970))
      (fix.source, fix.isSimulated) = (.coreLocation, false)
      cached = fix
      device.move(to: location)
      if isRunning { await emit(fix) }
    }

    private func emit(_ fix: Fix) async {
      fixCount += 1
      await scripted.emit(fix, age: .sinceFixTime)
    }

    /// Waits until both managers have heard of everything, and compares them.
    func synchronize() async {
      // A fix may end what demanded it, and the end of a demand may be followed by nothing.
      for _ in 0..<3 {
        await managers[1].waitUntilProcessed()
        let demand = await scripted.demands.last ?? .off
        let status = device.snapshot.status
        let shouldRun = demand.fixes != .off && status == SimulatedDevice.whileUsing
        if status == .notDetermined, demand.fixes != .off { await device.wait { $0.dialog != nil } }
        // The cached location that a start brings may end the demand at once.
        let starts = startCount
        if shouldRun, !isRunning {
          await device.wait { $0.startCount > starts }
        } else {
          await device.wait { $0.isUpdating == shouldRun }
        }
        if case .continuous(let wish) = demand.fixes, shouldRun {
          let accuracy = Self.constant(for: wish.accuracy)
          await device.wait { $0.desiredAccuracy == accuracy || !$0.isUpdating }
        }
        // Each start begins with the cached location.
        if shouldRun, !isRunning, let cached { await emit(cached) }
        isRunning = shouldRun
        startCount = device.snapshot.startCount
        await device.settle()
        await counting.wait(for: fixCount)
      }
      let authorization = currentAuthorization
      await counting.wait(for: authorization.status)
      for side in 0...1 { await managers[side].waitUntilProcessed() }
      let statuses = [await managers[0].status, await managers[1].status]
      #expect(statuses[0].authorization == statuses[1].authorization, "\(history)")
      #expect(await managers[0].lastFix?.fix == managers[1].lastFix?.fix, "\(history)")
      #expect(await counting.fixCount == fixCount, "\(history)")
    }

    private static func constant(for accuracy: Double) -> Double {
      switch accuracy {
      case 3000...: kCLLocationAccuracyThreeKilometers
      case 1000...: kCLLocationAccuracyKilometer
      case 100...: kCLLocationAccuracyHundredMeters
      case 10...: kCLLocationAccuracyNearestTenMeters
      default: kCLLocationAccuracyBest
      }
    }

    private func endListening() async {
      let ended = listeners
      listeners = [[], []]
      for task in ended.joined() { task.cancel() }
      for (one, other) in zip(ended[0], ended[1]) {
        let fixes = [await one.value, await other.value]
        #expect(fixes[0] == fixes[1])
      }
    }

    /// Ends everything, and compares how each request ended.
    func finish() async {
      await endListening()
      for side in 0...1 {
        for request in requests[side] { request.cancel() }
      }
      for (one, other) in zip(requests[0], requests[1]) {
        let outcomes = [await one.outcome, await other.outcome]
        #expect(outcomes[0] == outcomes[1], "\(history)")
      }
      let counts = [await managers[0].fixCounts(), await managers[1].fixCounts()]
      #expect(counts[0] == counts[1])
      #expect(device.snapshot.violations == [])
    }
  }

  extension SimulatedDevice.Snapshot {
    fileprivate var startCount: Int { calls.filter { $0 == "startUpdatingLocation" }.count }
  }

  /// A source around another one that counts what passes.
  struct CountingSource: LocationSource {
    private let source: CoreLocationSource
    private let counter = Counter()

    init(_ source: CoreLocationSource) { self.source = source }

    var authorizationNeeds: Authorization.Needs { source.authorizationNeeds }

    func run(_ link: SourceLink) async {
      await counter.link.set(link)
      await source.run(
        SourceLink(
          demands: link.demands, authorizationRequests: link.authorizationRequests,
          background: link.background
        ) { [counter] signal, _ in
          guard let signal else { return .ended }
          let status = await link.send(signal)
          await counter.log.append(signal)
          return status
        })
      await counter.link.set(nil)
    }

    /// The demand of the manager after everything that it was sent; `nil` while the source does not run.
    var demand: Demand? { get async { await counter.link.demand } }

    var fixCount: Int { get async { await counter.log.all.fixes.count } }

    var fixes: [Fix] { get async { await counter.log.all.fixes } }

    /// Whether the manager has processed a wake.
    var hasWoken: Bool {
      get async { await counter.log.all.contains { if case .woke = $0 { true } else { false } } }
    }

    func wait(for count: Int) async {
      await counter.log.wait { $0.fixes.count >= count }
    }

    func wait(for status: Authorization.Status) async {
      await counter.log.wait { $0.authorizations.last == status }
    }

    private struct Counter: Sendable {
      let log = SignalLog()
      let link = CurrentLink()
    }

    private actor CurrentLink {
      private var link: SourceLink?

      func set(_ link: SourceLink?) { self.link = link }

      /// A live source's moment is ignored.
      var demand: Demand? {
        get async { await link?.advance(to: Moment(instant: .start, wall: nil)).demand }
      }
    }
  }
#endif
