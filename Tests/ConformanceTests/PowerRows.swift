import EngineTestSupport
import Testing
import WhereaboutsEngine
import Whereabouts

extension EngineConformanceCase {
  private static let fine = Demand.continuous(Demand.Continuous(accuracy: 5))
  private static func hostState(foreground: Bool, charging: Bool?) -> Input {
    .power(PowerState(isForeground: foreground, isCharging: charging))
  }

  private static func demandedDistanceFilter(_ scene: EngineScenario) -> Double? {
    if case .continuous(let wanted) = scene.demand.fixes { wanted.distanceFilter } else { nil }
  }

  private static let balanced = EngineSettings(power: PowerSettings(preset: .balanced))

  /// Demands under the power policy.
  static let power: [EngineConformanceCase] = [
    EngineConformanceCase("fixes continue in the foreground on battery") {
      $0.handle(at: 0, hostState(foreground: true, charging: false))
      $0.handle(at: 0, subscribe(s))
      #expect($0.demand == fine)
    },
    EngineConformanceCase("fixes continue in the background while charging") {
      $0.handle(at: 0, subscribe(s))
      $0.handle(at: 1, hostState(foreground: false, charging: true))
      #expect($0.demand == fine)
    },
    EngineConformanceCase("the demand is significant changes only in the background on battery") {
      $0.handle(at: 0, subscribe(s))
      $0.handle(at: 1, hostState(foreground: false, charging: false))
      #expect($0.demand == .significantChanges)
    },
    EngineConformanceCase(
      "fixes continue in the background on battery if the settings allow it",
      settings: EngineSettings(power: PowerSettings(background: .everywhere))
    ) {
      $0.handle(at: 0, subscribe(s))
      $0.handle(at: 1, hostState(foreground: false, charging: false))
      #expect($0.demand == fine)
    },
    EngineConformanceCase(
      "each change of charging and of foreground updates the demand, and each change is logged once"
    ) {
      $0.handle(at: 0, subscribe(s))
      let steps: [(Bool, Bool, Demand)] = [
        (false, true, fine), (false, false, .significantChanges), (false, false, .significantChanges),
        (false, true, fine), (false, false, .significantChanges), (true, false, fine),
      ]
      for (index, step) in steps.enumerated() {
        $0.handle(at: Double(index + 1), hostState(foreground: step.0, charging: step.1))
        #expect($0.demand == step.2, "step \(index)")
      }
      let changes = $0.decisions.filter { if case .power = $0 { true } else { false } }
      #expect(changes.count == 4)
    },
    EngineConformanceCase(
      "each new fix updates the distance filter: 50 m, and 400 m from 20 m/s on", settings: balanced
    ) {
      $0.handle(at: 0, subscribe(s))
      #expect(demandedDistanceFilter($0) == 50)
      $0.handle(at: 1, live(fix(5, at: 1, speed: 20)))
      #expect(demandedDistanceFilter($0) == 400)
      $0.handle(at: 2, live(fix(5, at: 2, north: 10, speed: 10)))
      #expect(demandedDistanceFilter($0) == 50)
    },
    EngineConformanceCase(
      "the distance filter is 10 m and the activity is walking on foot", settings: balanced
    ) {
      $0.handle(at: 0, .subscribe(s, .fixes(FixTerms(level: .room, activity: .walk))))
      #expect(
        $0.demand == .continuous(Demand.Continuous(accuracy: 10, distanceFilter: 10, activity: .walk)))
    },
    EngineConformanceCase("a request gets its requested accuracy in the background on battery") {
      $0.handle(at: 0, hostState(foreground: false, charging: false))
      $0.handle(at: 0, request(a, .room))
      #expect($0.demand == fine)
    },
    EngineConformanceCase("fences are watched in the background on battery") {
      $0.handle(at: 0, hostState(foreground: false, charging: false))
      $0.handle(at: 0, .fences(.add([fence("home")])))
      #expect($0.demand == fine)
    },
    EngineConformanceCase("an unknown charging state never reduces the demand") {
      $0.handle(at: 0, subscribe(s))
      $0.handle(at: 1, hostState(foreground: false, charging: nil))
      #expect($0.demand == fine && $0.decisions.isEmpty)
    },
  ]
}
