import WhereaboutsEngine
import EngineTestSupport
import Testing
import Whereabouts
import WhereaboutsTesting

/// The receiver usages that a manager stores.
@Suite struct PowerLedgerStoreTests {
  private let clock = StepClock(wall: utc(0))

  private func makeManager(
    _ source: ScriptedSource, _ store: MemoryStore, _ power: PowerSettings = PowerSettings()
  ) -> LocationManager {
    LocationManager(
      source: source, clock: clock.managerClock, settings: ManagerSettings(power: power), store: store)
  }

  @Test func receiverUsageIsStoredWithUsersAndReason() async throws {
    let store = MemoryStore(), source = ScriptedSource()
    let manager = makeManager(source, store)
    await clock.advance(by: .seconds(10))
    let request = manager.request(.house, timeout: .seconds(30))
    await manager.waitUntilProcessed()
    #expect(await store.receiverUsages().map(\.isOpen) == [true])
    await clock.advance(by: .seconds(30))
    _ = await request.outcome
    await manager.waitUntilProcessed()
    let usage = try #require(await store.receiverUsages().first)
    #expect(await store.receiverUsages().count == 1)
    #expect(usage.began == utc(10) && usage.duration == .seconds(30) && !usage.isOpen)
    #expect(usage.users == .requests && usage.reason == .asAsked)
  }

  @Test func openUsageIsRewrittenEachMinute() async throws {
    let store = MemoryStore(), source = ScriptedSource()
    let manager = makeManager(source, store)
    let updates = manager.fixes(.house)
    let reading = Task { for await _ in updates {} }
    _ = await source.demand { $0 != .off }
    for second in 1...130 {
      await clock.advance(by: .seconds(1))
      await source.emit(fix(4, at: Double(second)))
    }
    #expect(await store.copy().receiverUsages().map(\.duration) == [.seconds(120)])
    #expect(await manager.save() == .working)
    #expect(await store.receiverUsages().map(\.duration) == [.seconds(130)])
    #expect(await store.receiverUsages().map(\.isOpen) == [true])
    reading.cancel()
  }

  @Test func openUsageIsRewrittenWithoutFixes() async throws {
    let store = MemoryStore(), source = ScriptedSource()
    let manager = makeManager(source, store)
    let request = manager.request(.house, timeout: nil)
    _ = await source.demand { $0 != .off }
    for _ in 1...5 {
      await clock.advance(by: .seconds(100))
      await source.emit(.segmentBegan)
    }
    #expect(await store.receiverUsages().map(\.duration) == [.seconds(500)])
    request.cancel()
  }

  @Test func openUsageEndsWithManager() async throws {
    let store = MemoryStore(), source = ScriptedSource()
    let manager = makeManager(source, store)
    let request = manager.request(.house, timeout: nil)
    _ = await source.demand { $0 != .off }
    await clock.advance(by: .seconds(30))
    await manager.close()
    #expect(await store.receiverUsages().map(\.duration) == [.seconds(30)])
    #expect(await store.receiverUsages().map(\.isOpen) == [false])
    request.cancel()
  }

  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func killLosesLittleUsageAndInventsNone(seed: UInt64) async throws {
    var random = SeededGenerator(seed: seed)
    var store = MemoryStore(), kills = 0
    var source = ScriptedSource(), manager = makeManager(source, store)
    var timeOn = Duration.zero, request: LocationRequest?
    func isOn() -> Bool { request != nil }
    for second in 1...400 {
      await clock.advance(by: .seconds(1))
      if isOn() { timeOn += .seconds(1) }
      await source.emit(fix(4000, at: Double(second)))
      switch Int.random(in: 0..<40, using: &random) {
      case 0, 1:
        if request == nil { request = manager.request(.house, timeout: nil) }
      case 2:
        request?.cancel()
        request = nil
      case 3:
        await manager.waitUntilProcessed()
        store = await store.copy()
        kills += 1
        request = nil
        source = ScriptedSource()
        manager = makeManager(source, store)
      default: break
      }
      await manager.waitUntilProcessed()
    }
    _ = await manager.save()
    let usages = await store.receiverUsages()
    let storedTime = usages.reduce(Duration.zero) { $0 + $1.duration }
    #expect(storedTime <= timeOn, "seed \(seed)")
    #expect(storedTime >= timeOn - .seconds(61 * kills), "seed \(seed)")
    #expect(usages.map(\.number) == (0..<UInt64(usages.count)).map { $0 + 1 }, "seed \(seed)")
    #expect(usages.allSatisfy { $0.duration >= .zero && $0.demand != .off }, "seed \(seed)")
    for (one, next) in zip(usages, usages.dropFirst()) {
      let (end, began) = (try #require(one.end), try #require(next.began))
      #expect(end <= began, "seed \(seed): \(one) \(next)")
    }
    request?.cancel()
  }

  @Test func powerStateSetByTheHostIsUsed() async throws {
    let store = MemoryStore(), source = ScriptedSource()
    let manager = makeManager(source, store)
    let updates = manager.fixes(.room)
    let reading = Task { for await _ in updates {} }
    let before = await source.demand { $0 != .off }
    manager.setPower(PowerState(isForeground: false, isCharging: false))
    #expect(await source.demand { $0 != before } == .significantChanges)
    #expect(await manager.powerState == PowerState(isForeground: false, isCharging: false))
    #expect(await manager.powerDecision?.reason == .backgroundOnBattery)
    await manager.waitUntilProcessed()
    #expect(await store.receiverUsages().last?.reason == .backgroundOnBattery)
    reading.cancel()
  }

  @Test func powerMonitorRunsOnlyWhileNeeded() async throws {
    let monitor = RecordingPowerMonitor()
    let source = ScriptedSource()
    let manager = LocationManager(source: source, clock: clock.managerClock, power: monitor)
    await manager.waitUntilProcessed()
    let request = manager.request(.room, timeout: nil)
    var needs = monitor.needs.makeAsyncIterator()
    #expect(await needs.next() == true)
    request.cancel()
    #expect(await needs.next() == false)
    #expect(await manager.powerState == PowerState(batteryLevel: 0.5))
  }
}

/// A power monitor that reports a half-full battery on each need, and records the needs.
private struct RecordingPowerMonitor: PowerMonitor {
  let needs: AsyncStream<Bool>
  private let needsContinuation: AsyncStream<Bool>.Continuation

  init() { (needs, needsContinuation) = AsyncStream.makeStream(of: Bool.self) }

  func run(_ link: PowerLink) async {
    for await isNeeded in link.needs {
      link.report(PowerState(batteryLevel: 0.5))
      needsContinuation.yield(isNeeded)
    }
    needsContinuation.finish()
  }
}
