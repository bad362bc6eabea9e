import EngineTestSupport
import Testing
import WhereaboutsEngine
import Whereabouts

extension EngineConformanceCase {
  /// Motion of the device.
  static let motions: [EngineConformanceCase] = [
    EngineConformanceCase("a standing device reports still and a moving one does not, each change once") {
      $0.handle(at: 0, .subscribe(s, .motions))
      for second in 0..<60 { $0.handle(at: Double(second), live(fix(4, at: Double(second), speed: 0))) }
      for second in 60..<120 {
        let north = 14 * Double(second - 60)
        $0.handle(at: Double(second), live(fix(4, at: Double(second), north: north, speed: 14)))
      }
      #expect($0.reportedMotions(s).first == .still && $0.reportedMotions(s).last == .driving)
      #expect(Set($0.reportedMotions(s)).count == $0.reportedMotions(s).count)
    },
    EngineConformanceCase("a receiver that drifts by 30 m at a stand reports no movement") {
      $0.handle(at: 0, .subscribe(s, .motions))
      for second in 0..<900 {
        let wander = Double((second * 7) % 31) - 15
        $0.handle(at: Double(second), live(fix(20, at: Double(second), north: wander)))
      }
      #expect($0.reportedMotions(s) == [.still])
    },
    EngineConformanceCase("a new subscription to motion starts with the known motion") {
      for second in 0..<30 { $0.handle(at: Double(second), live(fix(4, at: Double(second), speed: 0))) }
      $0.handle(at: 30, .subscribe(s, .motions))
      #expect($0.reportedMotions(s) == [.still])
      $0.handle(at: 200, .subscribe(u, .motions))
      #expect($0.reportedMotions(s) == [.still, .unknown] && $0.reportedMotions(u).isEmpty)
    },
    EngineConformanceCase("a minute without fixes makes the motion unknown, at a scheduled wake") {
      $0.handle(at: 0, .subscribe(s, .motions))
      for second in 0..<30 { $0.handle(at: Double(second), live(fix(4, at: Double(second), speed: 0))) }
      while let wake = $0.wake { $0.handle(at: Double(wake.nanoseconds) / 1e9, .wake) }
      #expect($0.reportedMotions(s) == [.still, .unknown])
    },
    EngineConformanceCase("no wake is scheduled for motion without a subscription") {
      for second in 0..<30 { $0.handle(at: Double(second), live(fix(4, at: Double(second), speed: 0))) }
      #expect($0.wake == nil)
    },
    EngineConformanceCase("a new segment and a lost permission reset the motion to unknown") {
      $0.handle(at: 0, .subscribe(s, .motions))
      for second in 0..<30 { $0.handle(at: Double(second), live(fix(4, at: Double(second), speed: 0))) }
      $0.handle(at: 30, .signal(.segmentBegan))
      for second in 31..<60 { $0.handle(at: Double(second), live(fix(4, at: Double(second), speed: 0))) }
      $0.handle(at: 60, authorizationSignal(.denied))
      #expect($0.reportedMotions(s) == [.still, .unknown, .still, .unknown])
    },
    EngineConformanceCase("an activity on foot is never reported as driving") {
      $0.handle(at: 0, .subscribe(u, .fixes(FixTerms(level: .room, activity: .walk))))
      for second in 0..<120 {
        $0.handle(at: Double(second), live(fix(4, at: Double(second), north: 5 * Double(second), speed: 5)))
      }
      #expect($0.motion == .running)
    },
    EngineConformanceCase(
      "an engine without motion settings reports no motion", settings: EngineSettings(motion: nil)
    ) {
      $0.handle(at: 0, .subscribe(s, .motions))
      for second in 0..<60 {
        let effects = $0.handle(at: Double(second), live(fix(4, at: Double(second), speed: 0)))
        #expect(!effects.contains { if case .decided(.motionChanged) = $0 { true } else { false } })
      }
      #expect($0.reportedMotions(s).isEmpty && $0.motion == .unknown)
    },
  ]
}

extension EngineScenario {
  /// The motions reported to a subscription.
  fileprivate func reportedMotions(_ id: SubscriptionID) -> [Motion] {
    subscriptionEvents[id, default: []].compactMap {
      if case .motion(let change) = $0 { change.to } else { nil }
    }
  }
}
