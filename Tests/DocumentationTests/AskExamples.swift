import Testing
import Whereabouts
import WhereaboutsTesting

/// The code of "Ask where you are".
@Suite struct AskExamples {
  private let clock = StepClock()
  private let source = ScriptedSource()

  // MARK: Once

  func nearestStop(_ manager: LocationManager) async -> String {
    do throws(LocationRequestError) {
      let answer = try await manager.fix(.block, timeout: .seconds(10))
      return stop(nearest: answer.fix.coordinate)
    } catch {
      guard let best = error.best else { return "Where you are is not known: \(error)" }
      return stop(nearest: best.fix.coordinate) + ", perhaps"
    }
  }

  @Test func requestOneFix() async throws {
    let manager = LocationManager(source: source, clock: clock.managerClock)
    async let stop = nearestStop(manager)
    _ = await source.demand { $0 != .off }
    await source.emit(.marienplatz(accuracy: 40))
    #expect(await stop == "Marienplatz")
  }

  @Test func requestOneFixInVain() async throws {
    let manager = LocationManager(source: source, clock: clock.managerClock)
    async let stop = nearestStop(manager)
    _ = await clock.nextDeadline()
    await source.emit(.marienplatz(accuracy: 400))
    await clock.advance(by: .seconds(10))
    #expect(await stop == "Marienplatz, perhaps")
    async let nothing = nearestStop(manager)
    await source.emit(.unauthorizedForGood)
    #expect(
      await nothing
        == "Where you are is not known: location is not allowed: denied. Allow it in the settings.")
  }

  // MARK: Levels and timeouts

  @Test func customLevel() throws {
    let platform = AccuracyLevel.custom(worstAccuracy: 8, maxAge: .seconds(3))
    #expect(try #require(platform).isReached(byAccuracy: 8, age: .seconds(3)))
  }

  @Test func cachedFix() async throws {
    let manager = LocationManager(source: source, clock: clock.managerClock)
    await source.emit(.marienplatz(accuracy: 400))

    let known = try? await manager.fix(.city, timeout: .zero)

    #expect(known?.level == .neighborhood)
    #expect(await source.demands.isEmpty, "the receiver stays off")
  }

  @Test func settlingRequest() async throws {
    let manager = LocationManager(source: source, clock: clock.managerClock)
    let asking = Task {
      let answer = try await manager.fix(.room, timeout: .seconds(30), settlingAfter: .seconds(4))
      return answer.fix.horizontalAccuracy
    }
    _ = await source.demand { $0 != .off }
    for (second, accuracy) in [(0, 90.0), (1, 31), (2, 30), (3, 29), (4, 30), (5, 29)] {
      await source.emit(.marienplatz(accuracy: accuracy, second: second))
      await clock.advance(by: .seconds(1))
    }
    #expect(try await asking.value == 29)
  }

  // MARK: A request in the hand

  @Test func requestObject() async throws {
    let manager = LocationManager(source: source, clock: clock.managerClock)

    let request = manager.request(.room, timeout: .seconds(30))
    request.completeNow()
    let outcome = await request.outcome

    #expect(outcome == .completedEarly(best: nil))
  }

  private func handle(_ outcome: RequestOutcome) {
    switch outcome {
    case .reached(let answer), .settled(let answer):
      show(answer)
    case .timedOut(let best?), .completedEarly(let best?):
      show(best)
    case .timedOut(nil), .completedEarly(nil):
      say("No position yet. Is there a view of the sky?")
    case .unauthorized(let authorization):
      say(authorization.remedy ?? "This app may not know where you are.")
    case .sourceFailed(let problem, best: _):
      say(problem.remedy ?? "Could not \(problem.message).")
    case .sourceEnded, .cancelled:
      break
    }
  }

  private func show(_ answer: Answer) {}
  private func say(_ text: String) {}

  @Test func requestProgress() async throws {
    let manager = LocationManager(source: source, clock: clock.managerClock)
    let request = manager.request(.house, timeout: .seconds(30))
    let showing = Task {
      var status = ""
      for await progress in request.progress {
        switch progress {
        case .searching: status = "Searching …"
        case .found(let answer): status = "Within \(answer.fix.horizontalAccuracy ?? .infinity) m so far …"
        case .ended(let outcome): status = outcome.answer.map { "Here: \($0.fix.coordinate)" } ?? "Not found"
        }
      }
      return status
    }
    await source.emit(.marienplatz(accuracy: 40))
    await source.emit(.marienplatz(accuracy: 9, second: 1))
    #expect(await showing.value.hasPrefix("Here: "))
  }
}

private func stop(nearest place: Coordinate) -> String { "Marienplatz" }

extension SourceSignal {
  /// A person says no.
  static let unauthorizedForGood = SourceSignal.authorization(
    Authorization(.denied, remedy: "Allow it in the settings."))
}

extension Fix {
  /// A fix in the middle of Munich.
  static func marienplatz(accuracy: Double, second: Int = 0) -> Fix {
    .test(
      latitude: 48.1374, longitude: 11.5755, accuracy: accuracy,
      time: UTCTime.noon.advanced(by: .seconds(second)))
  }
}

extension ScriptedSource {
  /// Emits the fixes of these seconds after noon, northward at about 10 m/s.
  func drive(_ seconds: ClosedRange<Int>) async {
    for second in seconds {
      await emit(
        Fix.test(
          latitude: 48 + Double(second) * 9e-5, longitude: 11, accuracy: 4,
          time: UTCTime.noon.advanced(by: .seconds(second))))
    }
  }
}

extension UTCTime {
  /// 2024-06-01T12:00:00Z.
  static let noon = UTCTime(nanosecondsSince1970: 1_717_243_200_000_000_000)
}
