import EngineTestSupport
import Testing
import WhereaboutsEngine
import Whereabouts

extension EngineConformanceCase {
  /// Trackers and their distances.
  static let trackers: [EngineConformanceCase] =
    methods.flatMap { name, method in
      [
        EngineConformanceCase("\(name): a prepared tracker has its source on and counts no distance") {
          $0.handle(at: 0, track(method))
          #expect($0.demand.fixes != .off)
          $0.drive(0...60)
          #expect($0.updates(s).allSatisfy { $0.phase == .prepared && $0.totals == TrackTotals() })
          #expect($0.points(s).isEmpty)
        },
        EngineConformanceCase(
          "\(name): a started tracker counts; a stopped one retains its distance and releases the source"
        ) {
          $0.handle(at: 0, track(method))
          $0.handle(at: 0, .track(s, .start))
          $0.drive(0...100)
          $0.handle(at: 100, .track(s, .stop))
          #expect($0.demand == .off && $0.wake == nil)
          #expect(abs($0.distance(s) - 1000) < 50)
          let kept = $0.distance(s)
          $0.handle(at: 200, .track(s, .prepare))
          $0.drive(200...260)
          #expect($0.distance(s) == kept)
        },
        EngineConformanceCase("\(name): the distance between a stop and the next start is not added") {
          $0.handle(at: 0, track(method))
          $0.handle(at: 0, .track(s, .start))
          $0.drive(0...100)
          $0.handle(at: 100, .track(s, .stop))
          $0.handle(at: 1000, .track(s, .start))
          $0.drive(1000...1100)
          $0.handle(at: 1100, .track(s, .stop))
          #expect(abs($0.distance(s) - 2000) < 100)
          #expect($0.updates(s).last?.totals.segments == 2)
        },
        EngineConformanceCase(
          "\(name): a fix made before the start is never counted"
        ) {
          // Known earlier, cached by the platform, delayed, or the first of all fixes.
          $0.handle(at: 90, track(method))
          $0.handle(at: 91, live(fix(3, at: 91, north: -9000)))
          $0.handle(at: 100, .track(s, .start))
          $0.handle(at: 100, cached(fix(3, at: 40, north: -8000)))
          $0.handle(at: 100, live(fix(3, at: 99, north: -7000)))
          $0.handle(at: 101, live(fix(3, at: 95, north: -6000)))
          $0.drive(102...202)
          $0.handle(at: 202, .track(s, .stop))
          #expect(abs($0.distance(s) - 1000) < 50)
          #expect($0.points(s).allSatisfy { $0.time >= utc(100) })
        },
        EngineConformanceCase("\(name): a first fix made before the start is not counted") {
          $0.handle(at: 100, track(method))
          $0.handle(at: 100, .track(s, .start))
          $0.handle(at: 100, live(fix(3, at: 40, north: -9000)))
          $0.handle(at: 100.1, live(fix(3, at: 41, north: -9000)))
          $0.drive(101...201)
          $0.handle(at: 201, .track(s, .stop))
          #expect(abs($0.distance(s) - 1000) < 50)
        },
        EngineConformanceCase("\(name): a reset sets the totals to zero and ignores older fixes") {
          $0.handle(at: 0, track(method))
          $0.handle(at: 0, .track(s, .start))
          $0.drive(0...100)
          $0.handle(at: 100.5, .track(s, .reset))
          #expect($0.updates(s).last?.totals == TrackTotals() && $0.updates(s).last?.phase == .counting)
          $0.handle(at: 100.6, live(fix(3, at: 99.5, north: 500)))
          $0.drive(101...201)
          $0.handle(at: 201, .track(s, .stop))
          #expect(abs($0.distance(s) - 1000) < 50)
        },
        EngineConformanceCase(
          "\(name): a failed source is reported and stops the tracker"
        ) {
          $0.handle(at: 0, track(method))
          $0.handle(at: 0, .track(s, .start))
          $0.drive(0...100)
          $0.handle(at: 101, .signal(.failed(unreachable)))
          #expect($0.phases(s).last == .sourceFailed(unreachable))
          #expect($0.subscriptionEvents[s]?.contains(.problem(unreachable)) == true)
          #expect($0.updates(s).last?.phase == .stopped && abs($0.distance(s) - 1000) < 50)
          #expect($0.demand == .off && $0.endedSubscriptions.isEmpty)
        },
        EngineConformanceCase("\(name): a denial stops the tracker, and no more points are reported") {
          $0.handle(at: 0, track(method))
          $0.handle(at: 0, .track(s, .start))
          $0.drive(0...100)
          let points = $0.points(s).count
          $0.handle(at: 101, authorizationSignal(.denied))
          #expect($0.phases(s).last == .unauthorized(Authorization(.denied)))
          #expect($0.points(s).count == points && $0.updates(s).last?.fix == nil)
          #expect(abs($0.distance(s) - 1000) < 50)
          $0.handle(at: 102, authorizationSignal(.always))
          #expect($0.demand == .off)
        },
        EngineConformanceCase(
          "\(name): the end of the source settles the distance and ends the tracker"
        ) {
          $0.handle(at: 0, track(method))
          $0.handle(at: 0, .track(s, .start))
          $0.drive(0...100)
          $0.handle(at: 100, .signal(.ended))
          #expect($0.phases(s).last == .sourceEnded(nil) && $0.endedSubscriptions == [s])
          #expect(abs($0.distance(s) - 1000) < 50 && $0.updates(s).last?.ahead == 0)
          #expect($0.points(s).last?.distance == $0.distance(s))
        },
        EngineConformanceCase("\(name): a tunnel is bridged and reported as a gap") {
          $0.handle(at: 0, track(method))
          $0.handle(at: 0, .track(s, .start))
          $0.drive(0...100)
          $0.drive(160...260)
          $0.handle(at: 260, .track(s, .stop))
          let gaps = $0.points(s).compactMap { if case .bridges(let gap) = $0.link { gap } else { nil } }
          #expect(gaps.count == 1 && abs((gaps.first?.geodesic ?? 0) - 600) < 60)
          let totals = $0.updates(s).last?.totals
          #expect(totals?.gaps == 1 && abs((totals?.bridged ?? 0) - 600) < 100)
          #expect(abs($0.distance(s) - 2600) < 150)
        },
        EngineConformanceCase("\(name): a new segment of the source is not bridged") {
          $0.handle(at: 0, track(method))
          $0.handle(at: 0, .track(s, .start))
          $0.drive(0...100)
          $0.handle(at: 130, .signal(.segmentBegan))
          $0.drive(160...260)
          $0.handle(at: 260, .track(s, .stop))
          #expect(abs($0.distance(s) - 2000) < 100)
          #expect($0.updates(s).last?.totals.segments == 2)
        },
        EngineConformanceCase("\(name): a standing device adds no distance") {
          $0.handle(at: 0, track(method))
          $0.handle(at: 0, .track(s, .start))
          for second in 0...3600 {
            let wander = [0, 3, -2, 4, -4, 1, -3, 2][second / 5 % 8]
            $0.handle(at: Double(second), live(fix(6, at: Double(second), north: Double(wander), speed: 0)))
          }
          $0.handle(at: 3600, .track(s, .stop))
          #expect($0.distance(s) < 10)
        },
        EngineConformanceCase("\(name): late and repeated fixes have no effect") {
          $0.handle(at: 0, track(method))
          $0.handle(at: 0, .track(s, .start))
          for second in 0...100 {
            let time = Double(second)
            $0.handle(at: time, live(fix(4, at: time, north: time * 10)))
            $0.handle(at: time, live(fix(4, at: time, north: time * 10)))
            if second > 3 { $0.handle(at: time, live(fix(4, at: time - 2, north: (time - 2) * 10))) }
          }
          $0.handle(at: 100, .track(s, .stop))
          #expect(abs($0.distance(s) - 1000) < 50)
        },
        EngineConformanceCase("\(name): a fix with a huge uncertainty leaves every figure finite") {
          let terms = TrackTerms(
            signal: SignalStrength.Settings(requiredAccuracy: .infinity), method: method, reportsPoints: true)
          $0.handle(at: 0, .subscribe(s, .track(terms)))
          $0.handle(at: 0, .track(s, .start))
          $0.drive(0...30)
          $0.drive(60...62, accuracy: 1e200)
          $0.drive(90...120)
          $0.handle(at: 120, .track(s, .stop))
          let totals = $0.updates(s).last?.totals
          #expect(totals?.uncertainty.isFinite == true && abs((totals?.distance ?? 0) - 1200) < 100)
        },
        EngineConformanceCase("\(name): fixes without a time are counted in order of arrival") {
          $0.handle(at: 0, track(method))
          $0.handle(at: 0, .track(s, .start))
          for second in 0...100 {
            $0.handle(at: Double(second), live(fix(4, at: nil, north: Double(second) * 10)))
          }
          $0.handle(at: 100, .track(s, .stop))
          #expect(abs($0.distance(s) - 1000) < 50)
        },
      ]
    } + commands + candidates

  private static let methods: [(String, TrackTerms.Method)] = [
    ("estimated", .estimated(OdometerSettings())), ("from candidates", .candidates(CandidateSettings())),
  ]

  /// Success of tracker commands, and the constants.
  private static let commands: [EngineConformanceCase] = [
    EngineConformanceCase("prepare and start report success") {
      $0.handle(at: 0, track())
      $0.handle(at: 1, .track(s, .start))
      $0.handle(at: 2, .track(s, .prepare))
      $0.handle(at: 3, .track(s, .stop))
      $0.handle(at: 4, .track(s, .start))
      #expect($0.phases(s) == [.prepare, .start, .prepare, .stop, .start].map { .asked($0) })
      #expect($0.updates(s).map(\.phase) == [.prepared, .counting, .prepared, .stopped, .counting])
    },
    EngineConformanceCase("prepare and start report a denial as the cause of failure") {
      let denied = TrackPhase.Cause.unauthorized(Authorization(.denied))
      $0.handle(at: 0, authorizationSignal(.denied))
      $0.handle(at: 0, track())
      $0.handle(at: 1, .track(s, .start))
      #expect($0.phases(s) == [denied, denied] && $0.demand == .off)
    },
    EngineConformanceCase("a tracker on an ended source ends at once, with the cause") {
      $0.handle(at: 0, .signal(.ended))
      $0.handle(at: 1, track())
      #expect($0.phases(s) == [.sourceEnded(nil)] && $0.endedSubscriptions == [s])
    },
    EngineConformanceCase("starting a tracker retries a failed source") {
      $0.handle(at: 0, track())
      $0.handle(at: 1, .signal(.failed(unreachable)))
      #expect($0.demand == .off)
      $0.handle(at: 2, .track(s, .start))
      #expect($0.demand.fixes != .off && $0.phases(s).last == .asked(.start))
    },
    EngineConformanceCase(
      "a tracker waits during the permission prompt, without signal or silence checks",
      settings: .needingAuthorization()
    ) {
      $0.handle(at: 0, track())
      #expect(
        $0.authorizationRequests == [.whenInUse] && $0.phases(s) == [.asked(.prepare)] && $0.wake == nil)
      $0.handle(at: 100, authorizationSignal(.whenInUse))
      #expect($0.wake == t(110).instant)
    },
    EngineConformanceCase("the constants equal those of CYLocationManager") {
      let terms = TrackTerms(), settings = CandidateSettings()
      #expect(settings.distanceFilter == 10 && settings.kept == 5 && settings.minimum == 3)
      #expect(settings.validity == .seconds(3) && terms.turn == 30)
      #expect(terms.signal.requiredAccuracy == 20 && terms.signal.acceptableAccuracy == 70)
      #expect(terms.signal.recheck == .seconds(15) && terms.signal.longestSilence == .seconds(10))
      #expect(terms.calculationInterval == .seconds(3))
      $0.handle(at: 0, track(.candidates(settings)))
      #expect($0.demand == .continuous(Demand.Continuous(accuracy: 5, distanceFilter: 10)))
    },
  ]
}

/// A subscription to a tracker that reports its points.
func track(_ method: TrackTerms.Method = .estimated(OdometerSettings()), _ id: SubscriptionID = s) -> Input {
  .subscribe(id, .track(TrackTerms(method: method, reportsPoints: true)))
}

extension EngineScenario {
  /// A fix each second, 10 m farther north each time.
  mutating func drive(_ seconds: ClosedRange<Int>, accuracy: Double = 4) {
    for second in seconds {
      handle(at: Double(second), live(fix(accuracy, at: Double(second), north: Double(second) * 10)))
    }
  }

  func updates(_ id: SubscriptionID) -> [TrackUpdate] {
    subscriptionEvents[id, default: []].compactMap { if case .track(let update) = $0 { update } else { nil } }
  }

  func points(_ id: SubscriptionID) -> [TrackPoint] {
    subscriptionEvents[id, default: []].compactMap {
      if case .trackPoint(let point) = $0 { point } else { nil }
    }
  }

  func phases(_ id: SubscriptionID) -> [TrackPhase.Cause] {
    subscriptionEvents[id, default: []].compactMap {
      if case .trackPhase(_, let cause) = $0 { cause } else { nil }
    }
  }

  /// The distance in a tracker's last update.
  func distance(_ id: SubscriptionID) -> Double { updates(id).last?.totals.distance ?? 0 }
}
