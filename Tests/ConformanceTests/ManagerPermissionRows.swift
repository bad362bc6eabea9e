import EngineTestSupport
import Testing
import Whereabouts
import WhereaboutsTesting

extension ManagerConformanceCase {
  /// Permission of a manager, and its settings.
  static let permission: [ManagerConformanceCase] = [
    ManagerConformanceCase("permission is requested with the first request, once", needs: both) { stage in
      #expect(await stage.source.authorizationRequests.isEmpty)
      let first = stage.manager.request(.room, timeout: nil)
      _ = await stage.source.authorizationRequest()
      let second = stage.manager.request(.city, timeout: nil)
      first.cancel()
      second.cancel()
      _ = await second.outcome
      #expect(await stage.source.authorizationRequests.count == 1)
    },
    ManagerConformanceCase(
      "without a preference the highest declared permission level is requested", needs: both
    ) {
      #expect(await $0.requestedLevel() == .always)
    },
    ManagerConformanceCase(
      "a program that declares only the lower permission level requests that level",
      needs: .userConsent(requestable: [.whenInUse])
    ) {
      #expect(await $0.requestedLevel() == .whenInUse)
    },
    ManagerConformanceCase(
      "the preferred permission level is requested",
      settings: ManagerSettings(authorizationPrompt: .automatically(preferred: .whenInUse)), needs: both
    ) {
      #expect(await $0.requestedLevel() == .whenInUse)
    },
    ManagerConformanceCase(
      "an undeclared preferred permission level is replaced by a declared one",
      settings: ManagerSettings(authorizationPrompt: .automatically(preferred: .always)),
      needs: .userConsent(requestable: [.whenInUse])
    ) {
      #expect(await $0.requestedLevel() == .whenInUse)
    },
    ManagerConformanceCase(
      "no permission is requested if automatic prompts are off",
      settings: ManagerSettings(authorizationPrompt: .never),
      needs: both
    ) {
      stage in
      let request = stage.manager.request(.room, timeout: nil)
      await stage.source.emit(Authorization(.always))
      await stage.source.emit(fix(3, at: 1))
      #expect(await request.answer?.fix == fix(3, at: 1))
      #expect(await stage.source.authorizationRequests.isEmpty)
    },
    ManagerConformanceCase("a timeout that waits for permission starts with the answer", needs: both) {
      stage in
      let request = stage.manager.request(.room, timeout: .seconds(10), timeoutStarts: .whenAuthorized)
      _ = await stage.source.authorizationRequest()
      await stage.clock.advance(by: .seconds(1000))
      await stage.source.emit(Authorization(.whenInUse))
      #expect(await stage.clock.nextDeadline().offset == .seconds(1010))
      await stage.clock.advance(by: .seconds(10))
      #expect(await request.outcome == .timedOut(best: nil))
    },
    ManagerConformanceCase(
      "a denial ends all waiting requests and carries the remedy", needs: both
    ) { stage in
      let requests = [AccuracyLevel.room, .city].map { stage.manager.request($0, timeout: nil) }
      let refused = Authorization(.denied, remedy: "Allow it in the settings.")
      await stage.source.emit(refused)
      for request in requests { #expect(await request.outcome == .unauthorized(refused)) }
      #expect(await stage.manager.status.authorization == refused)
    },
    ManagerConformanceCase("the status reports permission and headings at any time", needs: both) { stage in
      #expect(await stage.manager.status.authorization.status == .notDetermined)
      await stage.source.emit(Authorization(.restricted))
      #expect(await stage.manager.status.authorization.status == .restricted)
      #expect(await stage.manager.status.headings == .unknown)
      await stage.source.emit(.headingsUnavailable(noCompass))
      #expect(await stage.manager.status.headings == .unavailable(noCompass))
    },
    ManagerConformanceCase("the background settings reach the source") { stage in
      let settings = ManagerSettings.Background(
        allowsUpdates: true, showsIndicator: true, pausesAutomatically: true)
      let (seen, see) = AsyncStream.makeStream(of: ManagerSettings.Background.self)
      let manager = LocationManager(
        source: BackgroundRecordingSource(continuation: see), clock: stage.clock.managerClock,
        settings: ManagerSettings(background: settings))
      var all: [ManagerSettings.Background] = []
      for await next in seen { all.append(next) }
      #expect(all == [settings])
      await manager.waitUntilProcessed()
    },
  ]

  private static let both = Authorization.Needs.userConsent(requestable: [.whenInUse, .always])
}

extension ManagerConformanceCase.Fixture {
  /// The permission level that the first request asks for.
  fileprivate func requestedLevel() async -> Authorization.Level? {
    let request = manager.request(.room, timeout: nil)
    defer { request.cancel() }
    return await source.authorizationRequest()
  }
}

/// A source that only records its background settings.
private struct BackgroundRecordingSource: LocationSource {
  let continuation: AsyncStream<ManagerSettings.Background>.Continuation

  func run(_ link: SourceLink) async {
    continuation.yield(link.background)
    continuation.finish()
  }
}
