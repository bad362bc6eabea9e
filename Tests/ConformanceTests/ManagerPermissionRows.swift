import EngineBench
import Testing
import Whereabouts
import WhereaboutsTesting

extension ManagerRow {
  /// What a program sees of permission, and what it can set.
  static let permission: [ManagerRow] = [
    ManagerRow("the person is asked with the first request, once", needs: both) { stage in
      #expect(await stage.source.questions.isEmpty)
      let first = stage.manager.request(.room, timeout: nil)
      _ = await stage.source.question()
      let second = stage.manager.request(.city, timeout: nil)
      first.cancel()
      second.cancel()
      _ = await second.outcome
      #expect(await stage.source.questions.count == 1)
    },
    ManagerRow("without a preference the person is asked for the most that the program declares", needs: both)
    {
      #expect(await $0.levelAsked() == .always)
    },
    ManagerRow(
      "a program that declares only the less is asked for that", needs: .person(askable: [.whenInUse])
    ) {
      #expect(await $0.levelAsked() == .whenInUse)
    },
    ManagerRow(
      "a preferred level is what the person is asked for",
      settings: ManagerSettings(asking: .automatically(preferred: .whenInUse)), needs: both
    ) {
      #expect(await $0.levelAsked() == .whenInUse)
    },
    ManagerRow(
      "a preferred level that the program does not declare is replaced by one that it does",
      settings: ManagerSettings(asking: .automatically(preferred: .always)),
      needs: .person(askable: [.whenInUse])
    ) {
      #expect(await $0.levelAsked() == .whenInUse)
    },
    ManagerRow(
      "a program that asks by itself is left to it", settings: ManagerSettings(asking: .never), needs: both
    ) {
      stage in
      let request = stage.manager.request(.room, timeout: nil)
      await stage.source.say(Authorization(.always))
      await stage.source.say(fix(3, at: 1))
      #expect(await request.answer?.fix == fix(3, at: 1))
      #expect(await stage.source.questions.isEmpty)
    },
    ManagerRow("a timeout that waits for the person begins with their answer", needs: both) { stage in
      let request = stage.manager.request(.room, timeout: .seconds(10), timeoutStarts: .whenAuthorized)
      _ = await stage.source.question()
      await stage.clock.advance(by: .seconds(1000))
      await stage.source.say(Authorization(.whenInUse))
      #expect(await stage.clock.nextDeadline().offset == .seconds(1010))
      await stage.clock.advance(by: .seconds(10))
      #expect(await request.outcome == .timedOut(best: nil))
    },
    ManagerRow("a refusal ends everything that waits, with what can be done about it", needs: both) { stage in
      let requests = [AccuracyLevel.room, .city].map { stage.manager.request($0, timeout: nil) }
      let refused = Authorization(.denied, remedy: "Allow it in the settings.")
      await stage.source.say(refused)
      for request in requests { #expect(await request.outcome == .unauthorized(refused)) }
      #expect(await stage.manager.status.authorization == refused)
    },
    ManagerRow("how things stand can be asked at any time", needs: both) { stage in
      #expect(await stage.manager.status.authorization.status == .notDetermined)
      await stage.source.say(Authorization(.restricted))
      #expect(await stage.manager.status.authorization.status == .restricted)
      #expect(await stage.manager.status.headings == .unknown)
      await stage.source.say(.headingsUnavailable(noCompass))
      #expect(await stage.manager.status.headings == .unavailable(noCompass))
    },
    ManagerRow("what is set for the background reaches the source") { stage in
      let settings = BackgroundSettings(allowsUpdates: true, showsIndicator: true, pausesAutomatically: true)
      let (seen, see) = AsyncStream.makeStream(of: BackgroundSettings.self)
      let manager = LocationManager(
        source: BackgroundWitness(seen: see), clock: stage.clock.managerClock,
        settings: ManagerSettings(background: settings))
      var all: [BackgroundSettings] = []
      for await next in seen { all.append(next) }
      #expect(all == [settings])
      await manager.settled()
    },
  ]

  private static let both = AuthorizationNeeds.person(askable: [.whenInUse, .always])
}

extension ManagerRow.Stage {
  /// What the person is asked for when somebody first wants a fix.
  fileprivate func levelAsked() async -> Authorization.Level? {
    let request = manager.request(.room, timeout: nil)
    defer { request.cancel() }
    return await source.question()
  }
}

/// A source that only says how it is to behave in the background.
private struct BackgroundWitness: LocationSource {
  let seen: AsyncStream<BackgroundSettings>.Continuation

  func run(_ link: SourceLink) async {
    seen.yield(link.background)
    seen.finish()
  }
}
