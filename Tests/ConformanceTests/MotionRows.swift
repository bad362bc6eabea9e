import EngineTestSupport
import Testing
import WhereaboutsEngine
import Whereabouts

extension EngineConformanceCase {
  /// How the device moves.
  static let motions: [EngineConformanceCase] = [
    EngineConformanceCase("a device that stands is still, and one that goes on is not, each told once") {
      $0.handle(at: 0, .subscribe(s, .motions))
      for second in 0..<60 { $0.handle(at: Double(second), live(fix(4, at: Double(second), speed: 0))) }
      for second in 60..<120 {
        let north = 14 * Double(second - 60)
        $0.handle(at: Double(second), live(fix(4, at: Double(second), north: north, speed: 14)))
      }
      #expect($0.reportedMotions(s).first == .still && $0.reportedMotions(s).last == .driving)
      #expect(Set($0.reportedMotions(s)).count == $0.reportedMotions(s).count)
    },
    EngineConformanceCase("a receiver that wanders by 30 m while it stands does not move") {
      $0.handle(at: 0, .subscribe(s, .motions))
      for second in 0..<900 {
        let wander = Double((second * 7) % 31) - 15
        $0.handle(at: Double(second), live(fix(20, at: Double(second), north: wander)))
      }
      #expect($0.reportedMotions(s) == [.still])
    },
    EngineConformanceCase("whoever asks later how it moves is told first what is known") {
      for second in 0..<30 { $0.handle(at: Double(second), live(fix(4, at: Double(second), speed: 0))) }
      $0.handle(at: 30, .subscribe(s, .motions))
      #expect($0.reportedMotions(s) == [.still])
      $0.handle(at: 200, .subscribe(u, .motions))
      #expect($0.reportedMotions(s) == [.still, .unknown] && $0.reportedMotions(u).isEmpty)
    },
    EngineConformanceCase("fixes that fall silent make it unknown after a minute, at a wake asked for") {
      $0.handle(at: 0, .subscribe(s, .motions))
      for second in 0..<30 { $0.handle(at: Double(second), live(fix(4, at: Double(second), speed: 0))) }
      while let wake = $0.wake { $0.handle(at: Double(wake.nanoseconds) / 1e9, .wake) }
      #expect($0.reportedMotions(s) == [.still, .unknown])
    },
    EngineConformanceCase("nobody is woken for a motion that nobody follows") {
      for second in 0..<30 { $0.handle(at: Double(second), live(fix(4, at: Double(second), speed: 0))) }
      #expect($0.wake == nil)
    },
    EngineConformanceCase("a new segment, and a permission that is gone, leave nothing known of the motion") {
      $0.handle(at: 0, .subscribe(s, .motions))
      for second in 0..<30 { $0.handle(at: Double(second), live(fix(4, at: Double(second), speed: 0))) }
      $0.handle(at: 30, .signal(.segmentBegan))
      for second in 31..<60 { $0.handle(at: Double(second), live(fix(4, at: Double(second), speed: 0))) }
      $0.handle(at: 60, authorizationSignal(.denied))
      #expect($0.reportedMotions(s) == [.still, .unknown, .still, .unknown])
    },
    EngineConformanceCase("on foot nobody drives, whatever the speed leaves open") {
      $0.handle(at: 0, .subscribe(u, .fixes(FixTerms(level: .room, activity: .walk))))
      for second in 0..<120 {
        $0.handle(at: Double(second), live(fix(4, at: Double(second), north: 5 * Double(second), speed: 5)))
      }
      #expect($0.motion == .running)
    },
    EngineConformanceCase(
      "an engine that is not to tell motions tells none", settings: EngineSettings(motion: nil)
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
  /// How a subscriber was told that it moves.
  fileprivate func reportedMotions(_ id: SubscriptionID) -> [Motion] {
    subscriptionEvents[id, default: []].compactMap {
      if case .motion(let change) = $0 { change.to } else { nil }
    }
  }
}
