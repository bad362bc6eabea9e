import WhereaboutsEngine
import EngineTestSupport
import Testing
import Whereabouts

extension EngineConformanceCase {
  /// Permission for fixes.
  static let permission: [EngineConformanceCase] =
    [
      EngineConformanceCase(
        "permission is requested with the first request, not before",
        settings: .needingAuthorization(for: .always)
      ) {
        #expect($0.authorizationRequests.isEmpty)
        $0.handle(at: 0, request(a, .room))
        #expect($0.authorizationRequests == [.always])
      },
      EngineConformanceCase(
        "no permission is requested while no fix is needed", settings: .needingAuthorization()
      ) {
        $0.handle(at: 0, .wake)
        $0.handle(at: 1, .subscribe(s, .headings(HeadingTerms())))
        $0.handle(at: 2, request(a, .room, timeout: 0))
        #expect($0.authorizationRequests.isEmpty)
        $0.handle(at: 3, .subscribe(u, .significantChanges(.standard)))
        #expect($0.authorizationRequests == [.whenInUse])
      },
      EngineConformanceCase(
        "permission is requested once for many requests", settings: .needingAuthorization()
      ) {
        $0.handle(at: 0, request(a, .room))
        $0.handle(at: 1, subscribe(s))
        $0.handle(at: 2, .cancel(a))
        $0.handle(at: 3, request(b, .city))
        #expect($0.authorizationRequests == [.whenInUse])
      },
      EngineConformanceCase(
        "an update about a pending permission prompt does not prompt again",
        settings: .needingAuthorization()
      ) {
        $0.handle(at: 0, request(a, .room))
        $0.handle(
          at: 1, .signal(.authorization(Authorization(.notDetermined, remedy: "answer the question"))))
        #expect($0.authorizationRequests == [.whenInUse])
      },
      EngineConformanceCase(
        "permission is requested again after a reset", settings: .needingAuthorization()
      ) {
        $0.handle(at: 0, subscribe(s))
        $0.handle(at: 1, authorizationSignal(.whenInUse))
        $0.handle(at: 2, authorizationSignal(.notDetermined))
        #expect($0.authorizationRequests == [.whenInUse, .whenInUse])
      },
      EngineConformanceCase("no permission is requested after an answer", settings: .needingAuthorization()) {
        $0.handle(at: 0, authorizationSignal(.denied))
        $0.handle(at: 1, subscribe(s))
        $0.handle(at: 2, authorizationSignal(.whenInUse))
        #expect($0.authorizationRequests.isEmpty)
      },
      EngineConformanceCase(
        "no permission is requested if automatic prompts are off", settings: .needingAuthorization(for: nil)
      ) {
        $0.handle(at: 0, request(a, .room))
        #expect($0.authorizationRequests.isEmpty)
        #expect($0.demand != .off)
      },
      EngineConformanceCase("no permission is requested for a source that needs none") {
        $0.handle(at: 0, request(a, .room))
        #expect($0.authorizationRequests.isEmpty)
      },
      EngineConformanceCase(
        "a request that times out before the permission answer ends as unauthorized",
        settings: .needingAuthorization()
      ) {
        $0.handle(at: 0, request(a, .room, timeout: 5))
        $0.handle(at: 5, .wake)
        #expect($0.outcome(a) == .unauthorized(Authorization(.notDetermined)))
      },
    ] + [.denied, .restricted, .servicesDisabled].flatMap(denialCases)
    + Authorization.Status.allCases.compactMap(noRetainedFixCase) + [
      EngineConformanceCase("a repeated authorization status has no effect") {
        $0.handle(at: 0, subscribe(s))
        $0.handle(at: 1, authorizationSignal(.denied))
        let again = $0.handle(at: 2, authorizationSignal(.denied))
        #expect(again.isEmpty)
      },
      EngineConformanceCase("a denial carries a remedy") {
        let refused = Authorization(.denied, remedy: "Let your user open the receiver's port.")
        $0.handle(at: 0, .signal(.authorization(refused)))
        $0.handle(at: 1, request(a, .room))
        #expect($0.outcome(a) == .unauthorized(refused))
      },
      EngineConformanceCase(
        "permission granted later applies to later requests", settings: .needingAuthorization()
      ) {
        $0.handle(at: 0, authorizationSignal(.denied))
        $0.handle(at: 1, request(a, .room))
        $0.handle(at: 2, authorizationSignal(.whenInUse))
        $0.handle(at: 3, request(b, .room))
        $0.handle(at: 4, live(fix(3, at: 4)))
        #expect($0.outcome(b) == .reached(answer(fix(3, at: 4), age: 0, .room)))
      },
      EngineConformanceCase("a new request after an unwatched denial makes the source check again") {
        let refused = Authorization(.denied, noticesChanges: false, remedy: "Run chmod u+r.")
        $0.handle(at: 0, request(a, .room))
        $0.handle(at: 1, .signal(.authorization(refused)))
        #expect($0.outcome(a) == .unauthorized(refused))
        let second = $0.handle(at: 2, request(b, .room))
        #expect(second.contains { if case .demand(let demand) = $0 { demand != .off } else { false } })
        $0.handle(at: 3, .signal(.authorization(refused)))
        #expect($0.outcome(b) == .unauthorized(refused))
        // Beside an open subscription the demand is unchanged, but it is sent again.
        $0.handle(at: 4, subscribe(s))
        $0.handle(at: 5, .signal(.authorization(refused)))
        let third = $0.handle(at: 6, request(c, .room))
        #expect(third.contains { if case .demand = $0 { true } else { false } })
        $0.handle(at: 7, authorizationSignal(.always))
        $0.handle(at: 8, live(fix(3, at: 8)))
        #expect($0.outcome(c) == .reached(answer(fix(3, at: 8), age: 0, .room)))
      },
      EngineConformanceCase(
        "a fix after a renewed check counts as permission and starts waiting timeouts"
      ) {
        $0.handle(at: 0, .signal(.authorization(Authorization(.denied, noticesChanges: false))))
        $0.handle(at: 1, request(a, .room, timeout: 10, starts: .whenAuthorized))
        #expect($0.wake == nil)
        $0.handle(at: 2, live(fix(500, at: 2)))
        #expect($0.status.authorization.isAllowed && $0.wake == t(12).instant)
      },
      EngineConformanceCase(
        "a fix under a denial is logged as withheld and not delivered"
      ) {
        $0.handle(at: 0, authorizationSignal(.denied))
        let effects = $0.handle(at: 1, live(fix(3, at: 1)))
        #expect(effects == [.decided(.fixWithheld(madeAt: utc(1)))])
      },
      EngineConformanceCase("a fix received without permission is never used") {
        $0.handle(at: 0, subscribe(s))
        $0.handle(at: 0, authorizationSignal(.denied))
        $0.handle(at: 1, live(fix(3, at: 1)))
        $0.handle(at: 2, authorizationSignal(.always))
        #expect($0.fixes(s).isEmpty)
        #expect($0.refused == [.unauthorized: 1])
        $0.handle(at: 2, request(a, .city, timeout: 0))
        #expect($0.outcome(a) == .timedOut(best: nil))
      },
      EngineConformanceCase(
        "the status reports the permission at any time", settings: .needingAuthorization()
      ) {
        #expect($0.status.authorization.status == .notDetermined)
        for status in Authorization.Status.allCases {
          $0.handle(at: 0, authorizationSignal(status))
          #expect($0.status.authorization.status == status)
        }
      },
      EngineConformanceCase("the status reports the availability of headings at any time") {
        #expect($0.status.headings == .unknown)
        $0.handle(at: 0, .signal(.heading(try #require(heading(0)))))
        #expect($0.status.headings == .available)
        $0.handle(at: 1, .signal(.headingsUnavailable(noCompass)))
        #expect($0.status.headings == .unavailable(noCompass))
      },
    ]

  private static func noRetainedFixCase(_ status: Authorization.Status) -> EngineConformanceCase? {
    guard !Authorization(status).isAllowed else { return nil }
    return EngineConformanceCase(
      "\(status.rawValue) after permission: known fixes answer no later request"
    ) {
      $0.handle(at: 0, live(fix(3, at: 0)))
      $0.handle(at: 1, authorizationSignal(status))
      $0.handle(at: 1, request(a, .city, timeout: 0))
      #expect($0.outcome(a) == .unauthorized(Authorization(status)))
      $0.handle(at: 2, authorizationSignal(.always))
      $0.handle(at: 2, request(b, .city, timeout: 0))
      #expect($0.outcome(b) == .timedOut(best: nil))
      $0.handle(at: 2, .subscribe(s, .fixes(FixTerms(level: .city, lastFixUpTo: .seconds(60)))))
      #expect($0.subscriptionEvents[s] == nil)
    }
  }

  private static func denialCases(_ status: Authorization.Status) -> [EngineConformanceCase] {
    [
      EngineConformanceCase(
        "\(status.rawValue): waiting requests end as unauthorized at once", settings: .needingAuthorization()
      ) {
        $0.handle(at: 0, request(a, .room))
        $0.handle(at: 0, request(b, .city, timeout: 9, starts: .whenAuthorized))
        $0.handle(at: 1, authorizationSignal(status))
        #expect($0.endings.map(\.id) == [a, b])
        #expect($0.endings.allSatisfy { $0.outcome == .unauthorized(Authorization(status)) })
        #expect($0.demand == .off)
      },
      EngineConformanceCase(
        "\(status.rawValue): a new request ends as unauthorized at once", settings: .needingAuthorization()
      ) {
        $0.handle(at: 0, authorizationSignal(status))
        let effects = $0.handle(at: 1, request(a, .room))
        #expect(effects == [.finish(a, .unauthorized(Authorization(status)))])
      },
      EngineConformanceCase(
        "\(status.rawValue): subscriptions are notified and stay open", settings: .needingAuthorization()
      ) {
        $0.handle(at: 0, subscribe(s))
        $0.handle(at: 1, authorizationSignal(status))
        $0.handle(at: 2, authorizationSignal(.always))
        $0.handle(at: 3, live(fix(3, at: 3)))
        #expect(
          $0.subscriptionEvents[s] == [
            .authorization(Authorization(status)), .authorization(Authorization(.always)),
            .fix(fix(3, at: 3)),
          ])
      },
    ]
  }
}
