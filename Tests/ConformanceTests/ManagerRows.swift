import EngineTestSupport
import Testing
import Whereabouts
import WhereaboutsTesting

extension ManagerConformanceCase {
  /// Requests to a manager.
  static let requests: [ManagerConformanceCase] = [
    ManagerConformanceCase("a known fix completes a request that the caller awaits later") { stage in
      await stage.source.emit(fix(3, at: 0))
      // There is no callback: the request stores its answer until the caller awaits it.
      let request = stage.manager.request(.room, timeout: nil)
      await stage.manager.waitUntilProcessed()
      #expect(await request.outcome == .reached(answer(fix(3, at: 0), age: 0, .room)))
      #expect(await request.answer?.fix == fix(3, at: 0))
    },
    ManagerConformanceCase("request ids are unique in the process, across managers") { stage in
      let others = (0..<4).map { _ in
        LocationManager(source: ScriptedSource(), clock: stage.clock.managerClock)
      }
      let ids = ([stage.manager] + others).flatMap { manager in
        (0..<50).map { _ in manager.request(.room, timeout: nil).id }
      }
      #expect(Set(ids).count == 250)
    },
    ManagerConformanceCase("several managers work side by side, each with its own source") { stage in
      let source = ScriptedSource()
      let manager = LocationManager(source: source, clock: stage.clock.managerClock)
      let mine = stage.manager.request(.room, timeout: nil), other = manager.request(.room, timeout: nil)
      await source.emit(fix(3, at: 2, north: 1000))
      #expect(await other.answer?.fix == fix(3, at: 2, north: 1000))
      #expect(await source.demands.last == .off)
      #expect(await stage.source.demands.last == .continuous(Demand.Continuous(accuracy: 5)))
      await stage.source.emit(fix(3, at: 1))
      #expect(await mine.answer?.fix == fix(3, at: 1))
    },
    ManagerConformanceCase("any task may request, cancel and wait concurrently, on any thread") {
      stage in
      let outcomes = await withTaskGroup(of: RequestOutcome.self) { group in
        for number in 0..<64 {
          group.addTask {
            let request = stage.manager.request(.room, timeout: nil)
            if number.isMultiple(of: 2) { request.cancel() } else { request.completeNow() }
            return await request.outcome
          }
        }
        return await group.reduce(into: []) { $0.append($1) }
      }
      #expect(outcomes.filter { $0 == .cancelled }.count == 32)
      #expect(outcomes.filter { $0 == .completedEarly(best: nil) }.count == 32)
      #expect(await stage.source.demand { $0 == .off } == .off)
    },
    ManagerConformanceCase(
      "a caller may cancel and add requests on an answer without effect on the others"
    ) {
      stage in
      let manager = stage.manager
      let first = manager.request(.house, timeout: nil), second = manager.request(.room, timeout: nil)
      let third = manager.request(.room, timeout: nil)
      let answered = Task {
        _ = await first.outcome
        second.cancel()
        return manager.request(.room, timeout: nil)
      }
      await stage.source.emit(fix(12, at: 1))
      let fourth = await answered.value
      #expect(await second.outcome == .cancelled)
      await stage.source.emit(fix(3, at: 2))
      #expect(await third.answer?.fix == fix(3, at: 2))
      #expect(await fourth.answer?.fix == fix(3, at: 2))
      #expect(await stage.source.demands.last == .off)
    },
    ManagerConformanceCase("cancelling the task that waits for a fix cancels the request") { stage in
      let waiting = Task { try await stage.manager.fix(.room, timeout: nil) }
      _ = await stage.source.demand { $0 != .off }
      waiting.cancel()
      await #expect(throws: LocationRequestError.self) { try await waiting.value }
      #expect(await stage.source.demand { $0 == .off } == .off)
    },
    ManagerConformanceCase("the source is started by the first request and stopped after the last") { stage in
      let coarse = stage.manager.request(.city, timeout: nil),
        fine = stage.manager.request(.room, timeout: nil)
      await stage.manager.waitUntilProcessed()
      fine.cancel()
      await stage.manager.waitUntilProcessed()
      coarse.cancel()
      _ = await coarse.outcome
      #expect(
        await stage.source.demands == [
          .continuous(Demand.Continuous(accuracy: 5000)), .continuous(Demand.Continuous(accuracy: 5)),
          .continuous(Demand.Continuous(accuracy: 5000)), .off,
        ])
    },
    ManagerConformanceCase(
      "a failed source ends requests with its error, and streams continue"
    ) {
      stage in
      let stream = stage.manager.updates(.room, keeping: .all(upTo: 10))
      let request = stage.manager.request(.room, timeout: nil)
      await stage.source.fail(unreachable)
      #expect(await request.outcome == .sourceFailed(unreachable, best: nil))
      await stage.source.emit(fix(3, at: 1))
      stage.source.end()
      var updates: [LocationUpdate] = []
      for await update in stream { updates.append(update) }
      #expect(updates.count == 2)
      #expect(updates.first == .problem(unreachable))
    },
  ]

  /// Wall clock steps and wrong wall clocks.
  static let clocks: [ManagerConformanceCase] =
    [365 * 86_400, -365 * 86_400].flatMap { step in
      [
        ManagerConformanceCase(
          "the wall clock stepped by \(step) s neither fires nor delays a request's timeout"
        ) {
          stage in
          let request = stage.manager.request(.room, timeout: .seconds(10))
          #expect(await stage.clock.nextDeadline().offset == .seconds(10))
          stage.clock.setWall(utc(Double(step)))
          await stage.source.emit(fix(90, at: 0))
          await stage.clock.advance(by: .seconds(9))
          await stage.manager.waitUntilProcessed()
          #expect(await stage.source.demands.last != .off)
          await stage.clock.advance(by: .seconds(1))
          #expect(await request.outcome == .timedOut(best: answer(fix(90, at: 0), age: 10, .block)))
        },
        ManagerConformanceCase("the wall clock stepped by \(step) s delays no fix, live or cached") { stage in
          for (number, rule) in [SourceSignal.AgeRule.sinceArrival, .sinceFixTime].enumerated() {
            let second = Double(number + 1)
            let request = stage.manager.request(.room, timeout: .seconds(10))
            await stage.manager.waitUntilProcessed()
            stage.clock.setWall(utc(Double(step) + second))
            await stage.clock.advance(by: .seconds(1))
            await stage.source.emit(fix(3, at: second), age: rule)
            #expect(await request.answer?.fix == fix(3, at: second))
            await stage.clock.advance(by: .seconds(20))
            stage.clock.setWall(utc(second))
          }
        },
      ]
    } + [
      ManagerConformanceCase("a host with a clock at 1970, or without a time, receives fixes") {
        stage in
        for (number, wall) in [UTCTime(nanosecondsSince1970: 0), nil].enumerated() {
          stage.clock.setWall(wall)
          await stage.clock.advance(by: .seconds(60))
          let request = stage.manager.request(.room, timeout: .seconds(10))
          await stage.source.emit(fix(3, at: Double(number)))
          #expect(await request.answer?.fix == fix(3, at: Double(number)))
        }
      }
    ]
}
