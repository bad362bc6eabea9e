import Testing
import Whereabouts
import WhereaboutsTesting

/// The signal of trackers, as "Distance" documents it.
@Suite(.timeLimit(.minutes(10))) struct DocumentedSignalTests {
  private let clock = StepClock(wall: startOfTest)
  private let source = ScriptedSource()
  private let problem = SourceProblem(.noPosition, message: "see the sky")

  private func makeManager() -> LocationManager { LocationManager(source: source, clock: clock.managerClock) }

  /// Returns the changes of the signal so far, and ends the stream.
  private func changes(_ decisions: EventStream<Decision.Entry>, of manager: LocationManager) async
    -> [SignalStrength]
  {
    await manager.waitUntilProcessed()
    decisions.end()
    var changes: [SignalStrength] = []
    for await entry in decisions {
      if case .signalChanged(_, from: _, to: let strength) = entry.decision { changes.append(strength) }
    }
    return changes
  }

  @Test func signalIsStrongUpToTwentyMetres() async throws {
    let tracker = makeManager().tracker()
    #expect(await tracker.state.signal == .invalid)
    await source.emit(fix(20, at: 1))
    #expect(await tracker.state.signal == .strong)
    await source.emit(fix(20.001, at: 2))
    #expect(await tracker.state.signal == .weak)
    var bare = fix(5, at: 3)
    bare.horizontalAccuracy = nil
    await source.emit(bare)
    #expect(await tracker.state.signal == .weak, "a fix without an accuracy is not strong")
  }

  @Test func weakSignalIsConsistentlyWeakAfterFifteenSecondsOnceInARow() async throws {
    let manager = makeManager(), decisions = manager.decisions(), tracker = manager.tracker()
    await source.travel(1...3, accuracy: 8, clock: clock) { _ in 0 }
    await source.travel(4...18, accuracy: 40, clock: clock) { _ in 0 }
    #expect(await tracker.state.signal == .weak)
    await source.travel(19...60, accuracy: 40, clock: clock) { _ in 0 }
    #expect(await tracker.state.signal == .consistentlyWeak)
    await source.travel(61...61, accuracy: 20, clock: clock) { _ in 0 }
    await source.travel(62...90, accuracy: 40, clock: clock) { _ in 0 }
    let cycle = [SignalStrength.strong, .weak, .consistentlyWeak]
    #expect(await changes(decisions, of: manager) == cycle + cycle)
    withExtendedLifetime(tracker) {}
  }

  @Test func missingSignalIsConsistentlyWeakAfterFifteenSeconds() async throws {
    let manager = makeManager(), decisions = manager.decisions(), tracker = manager.tracker()
    await manager.waitUntilProcessed()
    await clock.advance(by: .milliseconds(14_999))
    #expect(await tracker.state.signal == .invalid)
    await clock.advance(by: .milliseconds(1))
    #expect(await tracker.state.signal == .consistentlyWeak)
    #expect(await changes(decisions, of: manager) == [.consistentlyWeak])
  }

  @Test func lostSignalIsReported() async throws {
    let manager = makeManager(), tracker = manager.tracker()
    await source.emit(fix(5, at: 0))
    await source.emit(.unavailable(problem))
    #expect(await tracker.state.signal == .invalid)
    await source.emit(fix(5, at: 1))
    #expect(await tracker.state.signal == .strong)
    await source.fail(problem)
    let state = await tracker.state
    #expect(state.signal == .invalid && state.phase == .stopped)
  }

  /// The source is stopped and started after 10 s without a fix, then after twice the time.
  @Test func silentSourceIsStoppedAndStarted() async throws {
    let manager = makeManager(), decisions = manager.decisions(), tracker = manager.tracker()
    let asked = Demand.continuous(Demand.Continuous(accuracy: 5))
    await source.travel(1...1, clock: clock) { _ in 0 }
    await clock.advance(by: .milliseconds(9_999))
    await manager.waitUntilProcessed()
    #expect(await source.demands == [asked])
    await clock.advance(by: .milliseconds(1))
    await manager.waitUntilProcessed()
    #expect(await source.demands == [asked, .off, asked])
    await clock.advance(by: .seconds(20))
    await manager.waitUntilProcessed()
    decisions.end()
    var silences: [Duration] = []
    for await entry in decisions {
      if case .sourceRestarted(let silence, _) = entry.decision { silences.append(silence) }
    }
    #expect(silences == [.seconds(10), .seconds(20)])
    withExtendedLifetime(tracker) {}
  }
}
