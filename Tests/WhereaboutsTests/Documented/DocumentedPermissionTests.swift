import Testing
import Whereabouts
import WhereaboutsTesting

/// Permission, as "Permissions" documents it.
@Suite struct DocumentedPermissionTests {
  private let clock = StepClock()
  /// A source whose user must agree first.
  private let source = ScriptedSource(
    authorizationNeeds: .userConsent(requestable: [.whenInUse, .always]))

  private func makeManager(
    asking prompt: ManagerSettings.AuthorizationPrompt = .automatically()
  ) -> LocationManager {
    LocationManager(
      source: source, clock: clock.managerClock, settings: ManagerSettings(authorizationPrompt: prompt))
  }

  // MARK: The prompt

  @Test func personIsAskedOnceForTheHighestLevel() async {
    let manager = makeManager()
    let first = manager.request(.house, timeout: nil), second = manager.request(.room, timeout: nil)
    let stream = manager.fixes(.house)
    await manager.waitUntilProcessed()
    #expect(await source.authorizationRequests == [.always])
    withExtendedLifetime((first, second, stream)) {}
  }

  @Test func preferredLevelIsAskedForAndNeverAsksNothing() async {
    let manager = makeManager(asking: .automatically(preferred: .whenInUse))
    let request = manager.request(.house, timeout: nil)
    await manager.waitUntilProcessed()
    #expect(await source.authorizationRequests == [.whenInUse])
    let silent = ScriptedSource(authorizationNeeds: .userConsent(requestable: [.always]))
    let other = LocationManager(
      source: silent, clock: clock.managerClock, settings: ManagerSettings(authorizationPrompt: .never))
    let waiting = other.request(.house, timeout: nil)
    await other.waitUntilProcessed()
    #expect(await silent.authorizationRequests == [])
    withExtendedLifetime((request, waiting)) {}
  }

  @Test func observersAndHeadingsAskNothing() async {
    let manager = makeManager()
    let headings = manager.headings(), decisions = manager.decisions(), fences = manager.fences.updates()
    var authorizations = manager.authorizations.makeAsyncIterator()
    #expect(await authorizations.next() == Authorization(.notDetermined))
    var statuses = manager.statuses.makeAsyncIterator()
    #expect(await statuses.next()?.authorization == Authorization(.notDetermined))
    #expect(await manager.request(.city, timeout: .zero).outcome.answer == nil)
    #expect(await manager.lastFix == nil)
    #expect(await source.authorizationRequests == [])
    withExtendedLifetime((headings, decisions, fences)) {}
  }

  @Test func personIsAskedAgainOnlyAfterPermissionIsUndeterminedAgain() async {
    let manager = makeManager()
    let first = manager.request(.house, timeout: nil)
    await source.emit(Authorization(.denied))
    #expect(await first.outcome == .unauthorized(Authorization(.denied)))
    #expect(await manager.request(.house, timeout: nil).outcome == .unauthorized(Authorization(.denied)))
    #expect(await source.authorizationRequests == [.always])
    await source.emit(Authorization(.notDetermined))
    let second = manager.request(.house, timeout: nil)
    await manager.waitUntilProcessed()
    #expect(await source.authorizationRequests == [.always, .always])
    second.cancel()
    #expect(await second.outcome == .cancelled)
  }

  // MARK: Requests before the answer

  @Test func timeoutCanStartWithThePermission() async {
    let manager = makeManager()
    let late = manager.request(.house, timeout: .seconds(10), timeoutStarts: .whenAuthorized)
    let early = manager.request(.house, timeout: .seconds(10))
    await manager.waitUntilProcessed()
    await clock.advance(by: .seconds(100))
    #expect(await early.outcome == .unauthorized(Authorization(.notDetermined)))
    await source.emit(Authorization(.whenInUse))
    await clock.advance(by: .seconds(9))
    #expect(await source.emit(fix(60, at: 109)).demand != .off, "the timeout did not wait for the answer")
    await clock.advance(by: .seconds(1))
    let best = Answer(fix: fix(60, at: 109), age: .seconds(1), level: .block)
    #expect(await late.outcome == .timedOut(best: best))
  }

  @Test func earlyCompletionBeforeTheAnswerReportsThePermission() async {
    let manager = makeManager()
    let request = manager.request(.house, timeout: nil)
    request.completeNow()
    #expect(await request.outcome == .unauthorized(Authorization(.notDetermined)))
  }

  @Test func requestCancelledBeforeTheAnswerLeavesNoDemand() async {
    let manager = makeManager()
    let request = manager.request(.house, timeout: .seconds(10), timeoutStarts: .whenAuthorized)
    await manager.waitUntilProcessed()
    request.cancel()
    #expect(await request.outcome == .cancelled)
    #expect(await source.emit(Authorization(.whenInUse)) == .ended, "a demand or a deadline is left")
    await clock.waitUntilNoSleepers()
  }

  @Test(arguments: [Authorization.Status.denied, .restricted, .servicesDisabled])
  func refusalEndsEveryRequestAtOnce(status: Authorization.Status) async {
    let manager = makeManager()
    let open = [
      manager.request(.house, timeout: nil), manager.request(.city, timeout: .seconds(10)),
      manager.request(.room, timeout: .seconds(10), timeoutStarts: .whenAuthorized),
    ]
    var updates = manager.updates(.house).makeAsyncIterator()
    let refusal = Authorization(status, remedy: "Allow it in the settings.")
    await source.emit(refusal)
    for request in open { #expect(await request.outcome == .unauthorized(refusal)) }
    #expect(await manager.request(.city, timeout: nil).outcome == .unauthorized(refusal))
    #expect(await updates.next() == .authorization(refusal))
    await source.emit(Authorization(.always))
    await source.emit(fix(5, at: 1))
    #expect(await updates.next() == .authorization(Authorization(.always)), "the subscription has ended")
    #expect(await updates.next() == .fix(fix(5, at: 1), droppedBefore: 0))
  }

  // MARK: Later changes

  @Test func refusalErasesKnownFixes() async {
    let manager = makeManager()
    await source.emit(Authorization(.always))
    await source.emit(fix(5, at: 1))
    #expect(await manager.lastFix?.fix == fix(5, at: 1))
    await source.emit(Authorization(.denied))
    #expect(await manager.lastFix == nil)
    await source.emit(fix(5, at: 2))
    #expect(await manager.lastFix == nil)
    #expect(await manager.fixCounts().refused == [.unauthorized: 1])
    await source.emit(Authorization(.always))
    #expect(await manager.lastFix == nil)
    #expect(await manager.request(.city, timeout: .zero).outcome == .timedOut(best: nil))
  }

  @Test func finerRequestTimesOutWithReducedAccuracy() async {
    let manager = makeManager()
    await source.emit(Authorization(.whenInUse, accuracy: .reduced))
    let request = manager.request(.house, timeout: .seconds(10))
    await source.emit(fix(3000, at: 1))
    await clock.advance(by: .seconds(10))
    let best = Answer(fix: fix(3000, at: 1), age: .seconds(10), level: .city)
    #expect(await request.outcome == .timedOut(best: best))
    await source.emit(Authorization(.whenInUse))
    await source.emit(fix(5, at: 12))
    await source.emit(Authorization(.whenInUse, accuracy: .reduced))
    #expect(await manager.lastFix == nil, "an exact place is known without the permission for it")
  }
}
