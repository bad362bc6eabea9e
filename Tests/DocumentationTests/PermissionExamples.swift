import Testing
import Whereabouts
import WhereaboutsTesting

/// The code of "Be allowed to know".
@Suite struct PermissionExamples {
  private let source = ScriptedSource(authorizationNeeds: .userConsent(requestable: [.whenInUse, .always]))
  private let clock = StepClock().managerClock

  @Test func authorizationIsRequestedOnFirstUse() async {
    var settings = ManagerSettings()
    settings.authorizationPrompt = .automatically(preferred: .whenInUse)
    settings.background.allowsUpdates = true
    let manager = LocationManager(source: source, clock: clock, settings: settings)

    #expect(await manager.status.authorization.status == .notDetermined)
    #expect(await source.authorizationRequests.isEmpty)
    let request = manager.request(.house, timeout: nil)
    #expect(await source.authorizationRequest() == .whenInUse)
    await source.emit(Authorization(.whenInUse))
    await source.emit(.marienplatz(accuracy: 12))
    #expect(await request.answer != nil)
  }

  @Test func timeoutAfterAuthorization() async {
    let clock = StepClock()
    let manager = LocationManager(source: source, clock: clock.managerClock)

    let request = manager.request(.house, timeout: .seconds(10), timeoutStarts: .whenAuthorized)

    #expect(await source.authorizationRequest() == .always)
    await clock.advance(by: .seconds(60))
    await source.emit(Authorization(.whenInUse))
    #expect(await clock.nextDeadline().offset == .seconds(70))
    await clock.advance(by: .seconds(10))
    #expect(await request.outcome == .timedOut(best: nil))
  }

  func showPermission(_ manager: LocationManager, on screen: Screen) async {
    for await authorization in manager.authorizations where !authorization.isAllowed {
      await screen.say(authorization.remedy ?? "Not allowed: \(authorization.status.rawValue)")
    }
  }

  @Test func authorizationStream() async {
    let screen = Screen()
    let manager = LocationManager(source: source, clock: clock)
    let watching = Task { await showPermission(manager, on: screen) }
    await screen.waitForMessage("Not allowed: not determined")
    await source.emit(Authorization(.denied, remedy: "Allow it in the settings."))
    await screen.waitForMessage("Allow it in the settings.")
    watching.cancel()
    await watching.value
  }
}
