import EngineTestSupport
import Testing
import WhereaboutsEngine
import Whereabouts

extension EngineConformanceCase {
  /// Signal states of trackers, and restarts of silent sources.
  static let signal: [EngineConformanceCase] = [
    EngineConformanceCase("the signal is invalid before the first fix, strong up to 20 m and weak above") {
      $0.handle(at: 0, track())
      #expect($0.updates(s).last?.signal == .invalid)
      $0.handle(at: 1, live(fix(20, at: 1)))
      #expect($0.updates(s).last?.signal == .strong)
      $0.handle(at: 2, live(fix(20.1, at: 2)))
      #expect($0.updates(s).last?.signal == .weak)
      $0.handle(at: 6, live(fix(nil, at: 6)))
      #expect($0.updates(s).last?.signal == .weak, "a fix without an accuracy is not strong")
    },
    EngineConformanceCase("a change of the signal is reported once, at once") {
      $0.handle(at: 0, track())
      for second in 1...9 {
        $0.handle(at: Double(second), live(fix(second < 5 ? 8 : 40, at: Double(second))))
      }
      let signals = $0.updates(s).map(\.signal)
      #expect(signals == [.invalid, .strong, .strong, .weak, .weak])
    },
    EngineConformanceCase("a signal that is weak for 15 s is reported as consistently weak, once in a row") {
      $0.handle(at: 0, track())
      for second in 1...60 {
        $0.handle(at: Double(second), live(fix(second < 4 ? 8 : 40, at: Double(second))))
      }
      let changes = $0.signalUpdates(s)
      #expect(changes.map(\.signal) == [.invalid, .strong, .weak, .consistentlyWeak])
      // The signal is weak from 4 s on: the deadline reports the change before the fix of that second.
      #expect($0.updates(s).first { $0.signal == .consistentlyWeak }?.fix?.time == utc(18))
    },
    EngineConformanceCase("a missing signal for 15 s is consistently weak") {
      $0.handle(at: 0, track(.estimated(OdometerSettings())))
      $0.handle(at: 14.9, .wake)
      #expect($0.signalUpdates(s).map(\.signal) == [.invalid])
      $0.handle(at: 15, .wake)
      #expect($0.signalUpdates(s).map(\.signal) == [.invalid, .consistentlyWeak])
    },
    EngineConformanceCase("a weak first fix does not restart the 15 s") {
      $0.handle(at: 0, track())
      $0.handle(at: 14, live(fix(90, at: 14)))
      $0.handle(at: 15, .wake)
      #expect($0.signalUpdates(s).map(\.signal) == [.invalid, .weak, .consistentlyWeak])
    },
    EngineConformanceCase("a strong signal restarts the 15 s") {
      $0.handle(at: 0, track())
      for second in 0...70 {
        $0.handle(at: Double(second), live(fix((18...20).contains(second) ? 8 : 40, at: Double(second))))
      }
      #expect(
        $0.signalUpdates(s).map(\.signal)
          == [.invalid, .weak, .consistentlyWeak, .strong, .weak, .consistentlyWeak])
    },
    EngineConformanceCase("a source that is silent for 10 s is restarted, with the reason logged") {
      $0.handle(at: 0, track())
      $0.handle(at: 1, live(fix(4, at: 1)))
      $0.handle(at: 10, .wake)
      let asked = $0.demand
      let effects = $0.handle(at: 11, .wake)
      #expect(
        effects.drop { if case .notify = $0 { true } else { false } }.prefix(3) == [
          .decided(.sourceRestarted(silentFor: .seconds(10), demand: asked)), .demand(.off), .demand(asked),
        ])
    },
    EngineConformanceCase("the restart interval of a silent source doubles each time, up to 320 s") {
      $0.handle(at: 0, track())
      var restarts: [Double] = []
      for second in 1...2000 where $0.handle(at: Double(second), .wake).contains(.demand(.off)) {
        restarts.append(Double(second))
      }
      #expect(restarts == [10, 30, 70, 150, 310, 630, 950, 1270, 1590, 1910])
      $0.handle(at: 2000, live(fix(4, at: 2000)))
      $0.handle(at: 2009, .wake)
      #expect($0.handle(at: 2010, .wake).contains(.demand(.off)))
    },
    EngineConformanceCase("a source that reports the reason for its silence is not restarted") {
      $0.handle(at: 0, track())
      $0.handle(at: 1, .signal(.unavailable(noSky)))
      for second in 2...100 { #expect(!$0.handle(at: Double(second), .wake).contains(.demand(.off))) }
    },
    EngineConformanceCase("a lost signal is reported, both for a reported problem and for silence") {
      $0.handle(at: 0, track())
      $0.handle(at: 1, live(fix(4, at: 1)))
      $0.handle(at: 2, .signal(.unavailable(noSky)))
      #expect($0.updates(s).last?.signal == .invalid)
      $0.handle(at: 3, live(fix(4, at: 3)))
      $0.handle(at: 13, .wake)
      #expect($0.updates(s).last?.signal == .invalid)
      $0.handle(at: 18, .wake)
      #expect($0.updates(s).last?.signal == .consistentlyWeak)
      #expect(
        $0.signalUpdates(s).map(\.signal) == [
          .invalid, .strong, .invalid, .strong, .invalid, .consistentlyWeak,
        ])
    },
    EngineConformanceCase("a fix as late as the silence check prevents a restart") {
      $0.handle(at: 0, track())
      #expect(!$0.handle(at: 11, live(fix(4, at: 11))).contains(.demand(.off)))
      #expect(!$0.handle(at: 20, .wake).contains(.demand(.off)))
      #expect($0.handle(at: 21, .wake).contains(.demand(.off)))
    },
    EngineConformanceCase(
      "a slow source is silent after three of its usual intervals"
    ) {
      $0.handle(at: 0, track())
      var restarts: [Double] = []
      for second in 1...3000 {
        let time = Double(second)
        if $0.handle(at: time, .wake).contains(.demand(.off)) { restarts.append(time) }
        if second.isMultiple(of: 30), second <= 2400 {
          $0.handle(at: time + 0.5, live(fix(4, at: time, north: time)))
        }
      }
      // The interval is unknown before the second fix.
      #expect(restarts == [10, 30, 41, 2491, 2671])
    },
    EngineConformanceCase("one or two tunnels do not change the usual interval of a fast source") {
      $0.handle(at: 0, track())
      for second in [1.0, 2, 3, 4, 90, 91, 170, 171] { $0.handle(at: second, live(fix(4, at: second))) }
      #expect(!$0.handle(at: 180.9, .wake).contains(.demand(.off)))
      #expect($0.handle(at: 181, .wake).contains(.demand(.off)))
    },
    EngineConformanceCase("a burst of fixes does not change the usual interval of a slow source") {
      $0.handle(at: 0, track())
      for second in stride(from: 1.0, through: 301, by: 30) {
        for part in 0...4 {
          let time = second + Double(part) / 1000
          $0.handle(at: time, live(fix(4, at: time)))
        }
      }
      #expect(!$0.handle(at: 390, .wake).contains(.demand(.off)))
      #expect($0.handle(at: 392, .wake).contains(.demand(.off)))
    },
    EngineConformanceCase("a reported outage does not change the usual interval") {
      $0.handle(at: 0, track())
      for minute in 0...9 {
        let time = Double(minute) * 60
        $0.handle(at: time, live(fix(4, at: time)))
        $0.handle(at: time + 1, .signal(.unavailable(noSky)))
      }
      $0.handle(at: 541, live(fix(4, at: 541)))
      $0.handle(at: 551, .wake)
      #expect(
        $0.demand.fixes != .off
          && $0.decisions.contains { if case .sourceRestarted = $0 { true } else { false } })
    },
    EngineConformanceCase("a silent source is not restarted without a demand") {
      $0.handle(at: 0, track())
      $0.handle(at: 1, .track(s, .stop))
      #expect($0.wake == nil)
    },
    EngineConformanceCase("two trackers do not restart a source alternately") {
      $0.handle(at: 0, track())
      $0.handle(at: 5, track(.estimated(OdometerSettings()), u))
      var restarts: [Double] = []
      for second in 6...40 where $0.handle(at: Double(second), .wake).contains(.demand(.off)) {
        restarts.append(Double(second))
      }
      #expect(restarts == [10, 30])
    },
    EngineConformanceCase(
      "a stepped wall clock affects neither the signal checks nor the update interval"
    ) {
      $0.handle(at: 0, track())
      for second in 0...12 {
        $0.handle(
          at: Double(second), wallOff: second.isMultiple(of: 2) ? 31_536_000 : -31_536_000,
          live(fix(40, at: Double(second))))
      }
      #expect($0.updates(s).compactMap(\.fix?.time) == [0, 3, 6, 9, 12].map(utc))
      $0.handle(at: 15, wallOff: -31_536_000, .wake)
      #expect($0.signalUpdates(s).last?.signal == .consistentlyWeak)
    },
    EngineConformanceCase("an update is reported at once, and then at most every 3 s of fix time") {
      $0.handle(at: 0, track())
      for tenth in 0...100 { $0.handle(at: Double(tenth) / 10, live(fix(4, at: Double(tenth) / 10))) }
      #expect($0.updates(s).compactMap(\.fix?.time) == [0, 3, 6, 9].map(utc))
    },
    EngineConformanceCase("a turn of 30° is reported at once while moving, and not while standing") {
      func turn(_ seconds: Double, _ course: Double, speed: Double = 5) -> Input {
        var next = fix(4, at: seconds, speed: speed)
        next.course = course
        return live(next)
      }
      $0.handle(at: 0, track())
      for (seconds, course) in [(0.0, 350.0), (0.5, 359), (1, 19.9), (1.5, 20), (2, 40), (2.5, 49.9)] {
        $0.handle(at: seconds, turn(seconds, course))
      }
      #expect($0.updates(s).compactMap(\.fix?.time) == [0, 1.5].map(utc))
      $0.handle(at: 3, turn(3, 180, speed: 0.2))
      #expect($0.updates(s).compactMap(\.fix?.time) == [0, 1.5].map(utc))
    },
  ]

  /// The method of CYLocationManager, without its faults.
  static let candidates: [EngineConformanceCase] = [
    EngineConformanceCase("a turn of 30° forces the next calculation") {
      $0.handle(at: 0, track(.candidates(CandidateSettings())))
      $0.handle(at: 0, .track(s, .start))
      for second in 0...8 {
        var next = fix(4, at: Double(second), north: Double(second) * 10, speed: 10)
        next.course = second < 4 ? 350 : 20
        $0.handle(at: Double(second), live(next))
      }
      #expect($0.points(s).map(\.time) == [0, 3, 4, 7].map(utc))
    },
    EngineConformanceCase("only the last five fixes are candidates, and no fix older than 3 s") {
      $0.handle(at: 0, track(.candidates(CandidateSettings())))
      $0.handle(at: 0, .track(s, .start))
      for tenth in 0...30 {
        let time = Double(tenth) / 10
        $0.handle(at: time, live(fix(tenth == 20 ? 3 : 12, at: time, north: time * 10)))
      }
      #expect($0.points(s).map(\.time) == [0, 3].map(utc), "the best fix is not one of the last five")
      $0.handle(at: 3.5, live(fix(3, at: 3.5, north: 35)))
      $0.handle(at: 7, live(fix(12, at: 7, north: 70)))
      #expect($0.points(s).map(\.time) == [0, 3, 7].map(utc), "the best fix is 3.5 s old")
    },
    EngineConformanceCase("no distance is added before the third good fix") {
      $0.handle(at: 0, track(.candidates(CandidateSettings())))
      $0.handle(at: 0, .track(s, .start))
      $0.handle(at: 0, live(fix(4, at: 0)))
      $0.handle(at: 4, live(fix(4, at: 4, north: 100)))
      #expect($0.distance(s) == 0)
      $0.handle(at: 8, live(fix(4, at: 8, north: 200)))
      #expect(abs($0.distance(s) - 100) < 2)
    },
    EngineConformanceCase("each step leads to the best fix of the last 3 s") {
      $0.handle(at: 0, track(.candidates(CandidateSettings())))
      $0.handle(at: 0, .track(s, .start))
      let north = [0.0, 10, 20, 30, 40, 55, 60]
      let accuracy = [4.0, 4, 4, 4, 12, 3, 12]
      for (second, metres) in north.enumerated() {
        $0.handle(at: Double(second), live(fix(accuracy[second], at: Double(second), north: metres)))
      }
      #expect($0.points(s).map(\.time) == [0, 3, 5].map(utc))
      #expect(abs($0.distance(s) - 55) < 1)
    },
    EngineConformanceCase("a step of several calculations is movement from its beginning") {
      $0.handle(at: 0, track(.candidates(CandidateSettings())))
      $0.handle(at: 0, .track(s, .start))
      for second in 0...300 {
        let next = fix(8, at: Double(second), north: Double(second) * 1.3, speed: 1.3)
        $0.handle(at: Double(second), live(next))
      }
      let totals = $0.updates(s).last?.totals ?? TrackTotals()
      #expect(totals.distance > 300 && totals.elapsed > 270, "\(totals)")
      #expect(totals.moving > totals.elapsed - 20 && totals.moving <= totals.elapsed + 1e-6, "\(totals)")
    },
    EngineConformanceCase("a rest is no part of the step after it") {
      $0.handle(at: 0, track(.candidates(CandidateSettings())))
      $0.handle(at: 0, .track(s, .start))
      for second in 0...700 {
        let isWalking = second < 100 || second > 600
        let metres = Double(min(second, 100) + max(0, second - 600)) * 1.3
        $0.handle(
          at: Double(second), live(fix(8, at: Double(second), north: metres, speed: isWalking ? 1.3 : 0)))
      }
      let totals = $0.updates(s).last?.totals ?? TrackTotals()
      #expect((160...260).contains(totals.moving) && totals.elapsed > 680, "\(totals)")
    },
    EngineConformanceCase(
      "a fix above 20 m is ignored until the signal is consistently weak; then the limit is 70 m"
    ) {
      $0.handle(at: 0, track(.candidates(CandidateSettings())))
      $0.handle(at: 0, .track(s, .start))
      $0.drive(0...14, accuracy: 50)
      #expect($0.distance(s) == 0 && $0.points(s).isEmpty)
      $0.drive(15...75, accuracy: 50)
      #expect($0.distance(s) > 400)
      let before = $0.distance(s)
      $0.drive(76...80, accuracy: 8)
      $0.drive(81...90, accuracy: 50)
      #expect($0.distance(s) < before + 150, "a strong signal restores the limit of 20 m")
    },
    EngineConformanceCase("a fix above 70 m is ignored") {
      $0.handle(at: 0, track(.candidates(CandidateSettings())))
      $0.handle(at: 0, .track(s, .start))
      $0.drive(0...100, accuracy: 71)
      #expect($0.distance(s) == 0)
    },
  ]
}

extension EngineScenario {
  /// The updates that change the signal.
  func signalUpdates(_ id: SubscriptionID) -> [TrackUpdate] {
    updates(id).reduce(into: []) { if $0.last?.signal != $1.signal { $0.append($1) } }
  }
}
