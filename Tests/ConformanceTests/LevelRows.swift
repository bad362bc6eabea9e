import WhereaboutsEngine
import EngineTestSupport
import Testing
import Whereabouts

extension EngineConformanceCase {
  /// Accuracy levels.
  static let levels: [EngineConformanceCase] =
    limits.map { limit in
      EngineConformanceCase(
        "\(limit.name) is \(limit.radius) m and \(limit.age) s, both inclusive"
      ) {
        try limit.checkBounds(in: &$0)
      }
    }
    + limits.map { limit in
      EngineConformanceCase(
        "with \(limit.name) as the highest requested level the demand is \(limit.radius) m"
      ) {
        let level = try #require(AccuracyLevel.named(limit.name))
        $0.handle(at: 0, request(a, level))
        #expect($0.demand == .continuous(Demand.Continuous(accuracy: limit.radius)))
      }
    }
    + [
      EngineConformanceCase("an answer below the city level has no level") {
        let poor = fix(5001, at: 0)
        $0.handle(at: 0, request(a, .city, timeout: 1))
        $0.handle(at: 0, live(poor))
        $0.handle(at: 1, .wake)
        #expect($0.outcome(a) == .timedOut(best: answer(poor, age: 1, nil)))
      },
      EngineConformanceCase("there is no standard level named none") { _ in
        #expect(AccuracyLevel.named("none") == nil)
        #expect(AccuracyLevel.standard.map(\.name) == ["room", "house", "block", "neighborhood", "city"])
      },
      EngineConformanceCase("a custom level has a radius and an age") {
        let level = try #require(AccuracyLevel.custom(worstAccuracy: 33, maxAge: .seconds(7)))
        try Limit(name: "custom", radius: 33, age: 7).checkBounds(level, in: &$0)
      },
      EngineConformanceCase("a fix without an accuracy reaches no level but is returned as the best") {
        let bare = fix(nil, at: 0)
        $0.handle(at: 0, request(a, .city, timeout: 1))
        $0.handle(at: 0, live(bare))
        #expect($0.outcome(a) == nil)
        $0.handle(at: 1, .wake)
        #expect($0.outcome(a) == .timedOut(best: answer(bare, age: 1, nil)))
      },
    ]

  private static let limits = [
    Limit(name: "city", radius: 5000, age: 600), Limit(name: "neighborhood", radius: 1000, age: 300),
    Limit(name: "block", radius: 100, age: 60), Limit(name: "house", radius: 15, age: 15),
    Limit(name: "room", radius: 5, age: 5),
  ]
}

private struct Limit: Sendable {
  let name: String
  let radius: Double
  let age: Double

  /// Checks the level's bounds against this limit.
  func checkBounds(_ custom: AccuracyLevel? = nil, in scene: inout EngineScenario) throws {
    let level = try #require(custom ?? AccuracyLevel.named(name))
    scene.handle(at: 1000, request(a, level))
    scene.handle(at: 1000, cached(fix(radius.nextUp, at: 1000 - age)))
    #expect(scene.outcome(a) == nil, "the radius is above the limit")
    scene.handle(at: 1000.001, cached(fix(radius, at: 1000 - age + 0.000_5)))
    #expect(scene.outcome(a) == nil, "the age is above the limit")
    let exact = fix(radius, at: 1001 - age)
    scene.handle(at: 1001, cached(exact))
    let reached = AccuracyLevel.standard.first { $0 == level }
    let better = AccuracyLevel.standard.first { $0.isReached(byAccuracy: radius, age: .seconds(age)) }
    #expect(scene.outcome(a) == .reached(answer(exact, age: age, reached ?? better)))
    #expect(scene.demand == .off)
  }
}
