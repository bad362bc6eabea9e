import Testing
@testable import Whereabouts
import WhereaboutsTesting

/// A fix at a number of seconds after 2024-06-01T12:00:00Z.
func fix(_ accuracy: Double, at seconds: Double, north metres: Double = 0) -> Fix {
  .test(
    latitude: 47 + metres / 111_170, longitude: 8, accuracy: accuracy,
    time: UTCTime(nanosecondsSince1970: 1_717_243_200_000_000_000).advanced(by: .seconds(seconds)))
}

@Suite struct LocationManagerTests {
  let clock = StepClock()
  let source = ScriptedSource()

  @Test func sufficientFixAnswersTheRequest() async throws {
    let manager = LocationManager(source: source, clock: clock.managerClock)
    let request = manager.request(.house, timeout: .seconds(10))
    _ = await source.demand { $0 != .off }
    await source.emit(fix(80, at: 1))
    let status = await source.emit(fix(12, at: 2))
    #expect(await request.outcome == .reached(Answer(fix: fix(12, at: 2), age: .zero, level: .house)))
    #expect(status == .ended, "the source is no longer needed")
  }

  @Test func timeoutReturnsTheBestFix() async throws {
    let manager = LocationManager(source: source, clock: clock.managerClock)
    let request = manager.request(.house, timeout: .seconds(10))
    _ = await source.demand { $0 != .off }
    await source.emit(fix(60, at: 1))
    await source.emit(fix(900, at: 2))
    #expect(await clock.nextDeadline().offset == .seconds(10))
    await clock.advance(by: .seconds(10))
    let best = Answer(fix: fix(60, at: 1), age: .seconds(10), level: .block)
    #expect(await request.outcome == .timedOut(best: best))
    _ = await source.demand { $0 == .off }
    #expect(await source.demands == [.continuous(Demand.Continuous(accuracy: 15)), .off])
  }

  @Test func wallClockChangeDoesNotAffectTimeouts() async throws {
    let manager = LocationManager(source: source, clock: clock.managerClock)
    let request = manager.request(.house, timeout: .seconds(10))
    #expect(await clock.nextDeadline().offset == .seconds(10))
    clock.setWall(UTCTime(nanosecondsSince1970: 4_000_000_000_000_000_000))
    await source.emit(fix(60, at: 1))
    await clock.advance(by: .seconds(9))
    await manager.waitUntilProcessed()
    await source.emit(fix(10, at: 2))
    #expect(await request.answer?.fix == fix(10, at: 2))
  }

  @Test func cancellingTheTaskCancelsTheRequest() async throws {
    let manager = LocationManager(source: source, clock: clock.managerClock)
    let waiting = Task { try await manager.fix(.room, timeout: nil) }
    _ = await source.demand { $0 != .off }
    waiting.cancel()
    await #expect(throws: LocationRequestError(outcome: .cancelled)) { try await waiting.value }
    #expect(await source.demand { $0 == .off } == .off)
  }

  @Test func taskCancelledBeforeRequestingHasNoEffect() async throws {
    let source = ScriptedSource(authorizationNeeds: .userConsent(requestable: [.whenInUse]))
    let manager = LocationManager(source: source, clock: clock.managerClock)
    let waiting = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await manager.fix(.room, timeout: nil)
    }
    await #expect(throws: LocationRequestError(outcome: .cancelled)) { try await waiting.value }
    await manager.waitUntilProcessed()
    #expect(await source.authorizationRequests == [])
    #expect(await source.demands == [])
  }

  @Test func answerReachesAllCurrentAndLaterWaiters() async throws {
    let manager = LocationManager(source: source, clock: clock.managerClock)
    let request = manager.request(.house, timeout: nil)
    async let first = request.answer
    async let second = request.answer
    await source.emit(fix(5, at: 1))
    let third = await request.answer
    #expect(await first == third)
    #expect(await second == third)
    #expect(third?.level == .room)
  }

  @Test func completionAndCancellationFollowCallOrder() async throws {
    let manager = LocationManager(source: source, clock: clock.managerClock)
    let early = manager.request(.room, timeout: nil)
    early.completeNow()
    early.cancel()
    #expect(await early.outcome == .completedEarly(best: nil))
    let dropped = manager.request(.room, timeout: nil)
    dropped.cancel()
    dropped.completeNow()
    #expect(await dropped.outcome == .cancelled)
  }

  @Test func openRequestsAreCancelledWhenTheManagerIsReleased() async throws {
    let promise: Task<RequestOutcome, Never>
    do {
      let manager = LocationManager(source: source, clock: clock.managerClock)
      let request = manager.request(.room, timeout: nil)
      promise = Task { [promise = request.promise] in await promise.result }
    }
    #expect(await promise.value == .cancelled)
    #expect(await source.emit(fix(5, at: 1)) == .ended)
  }

  @Test func managersAreIndependent() async throws {
    let sources = (0..<5).map { _ in ScriptedSource() }
    let managers = sources.map { LocationManager(source: $0, clock: clock.managerClock) }
    let requests = managers.map { $0.request(.house, timeout: nil) }
    for (index, source) in sources.enumerated() { await source.emit(fix(5, at: Double(index))) }
    for (index, request) in requests.enumerated() {
      #expect(await request.answer?.fix == fix(5, at: Double(index)))
    }
    #expect(Set(requests.map(\.id)).count == 5)
  }

  @Test func tallyCountsAcceptedAndRefusedFixes() async throws {
    let manager = LocationManager(source: source, clock: clock.managerClock)
    await source.emit(fix(5, at: 2))
    await source.emit(fix(5, at: 2))
    await source.emit(fix(-1, at: 3))
    let counts = await manager.fixCounts()
    #expect(counts.accepted == 1)
    #expect(counts.refused == [.duplicate: 1, .invalidAccuracy: 1])
  }
}

@Suite struct LocationRequestErrorTests {
  @Test func descriptionStatesTheReasonWithoutThePlace() {
    let best = Answer(fix: fix(24, at: 1), age: .seconds(3), level: .block)
    let texts: [(RequestOutcome, String)] = [
      (.timedOut(best: best), "no fix was good enough in time; the best was within 24.0 m, 3.0 s old"),
      (.timedOut(best: nil), "no fix was good enough in time; no fix came"),
      (
        .unauthorized(Authorization(.denied, remedy: "Join the group dialout.")),
        "location is not allowed: denied. Join the group dialout."
      ),
      (
        .sourceFailed(SourceProblem(.unreachable, message: "reach the receiver"), best: nil),
        "could not reach the receiver; no fix came"
      ),
      (
        .sourceFailed(SourceProblem(.noReceiver, message: "open gps", remedy: "Plug it in."), best: nil),
        "could not open gps; no fix came. Plug it in."
      ),
    ]
    for (outcome, text) in texts { #expect("\(LocationRequestError(outcome: outcome))" == text) }
    let problem = SourceProblem(.noReceiver, message: "open gps", remedy: "Plug it in.")
    #expect("\(TrackError(cause: .sourceFailed(problem)))" == "could not open gps. Plug it in.")
  }
}
