import EngineBench
import Testing
import Whereabouts

extension Row {
  /// Whether fixes may be had.
  static let permission: [Row] =
    [
      Row("the person is asked with the first request, and not before", asking: .person(for: .always)) {
        #expect($0.asked.isEmpty)
        $0.at(0, request(a, .room))
        #expect($0.asked == [.always])
      },
      Row("nobody is asked for permission while no fix is needed", asking: .person()) {
        $0.at(0, .wake)
        $0.at(1, .subscribe(s, .headings(HeadingTerms())))
        $0.at(2, request(a, .room, timeout: 0))
        #expect($0.asked.isEmpty)
        $0.at(3, .subscribe(u, .significantChanges(.standard)))
        #expect($0.asked == [.whenInUse])
      },
      Row("the person is asked once, however many requests come", asking: .person()) {
        $0.at(0, request(a, .room))
        $0.at(1, subscribe(s))
        $0.at(2, .cancel(a))
        $0.at(3, request(b, .city))
        #expect($0.asked == [.whenInUse])
      },
      Row("news about a question that is still open is no reason to ask again", asking: .person()) {
        $0.at(0, request(a, .room))
        $0.at(1, .signal(.authorization(Authorization(.notDetermined, remedy: "answer the question"))))
        #expect($0.asked == [.whenInUse])
      },
      Row("a person whose answer was taken back is asked again", asking: .person()) {
        $0.at(0, subscribe(s))
        $0.at(1, permits(.whenInUse))
        $0.at(2, permits(.notDetermined))
        #expect($0.asked == [.whenInUse, .whenInUse])
      },
      Row("a person who has answered is not asked", asking: .person()) {
        $0.at(0, permits(.denied))
        $0.at(1, subscribe(s))
        $0.at(2, permits(.whenInUse))
        #expect($0.asked.isEmpty)
      },
      Row("a program that asks by itself is left to it", asking: .person(for: nil)) {
        $0.at(0, request(a, .room))
        #expect($0.asked.isEmpty)
        #expect($0.demand != .off)
      },
      Row("a source that needs nobody's permission asks nobody") {
        $0.at(0, request(a, .room))
        #expect($0.asked.isEmpty)
      },
      Row("an open question that outlasts the timeout is an outcome of its own", asking: .person()) {
        $0.at(0, request(a, .room, timeout: 5))
        $0.at(5, .wake)
        #expect($0.ending(a) == .unauthorized(Authorization(.notDetermined)))
      },
    ] + [.denied, .restricted, .servicesDisabled].flatMap(refusals)
    + Authorization.Status.allCases.compactMap(memories) + [
      Row("the same answer told again is no news") {
        $0.at(0, subscribe(s))
        $0.at(1, permits(.denied))
        let again = $0.at(2, permits(.denied))
        #expect(again.isEmpty)
      },
      Row("a refusal says what a person can do about it") {
        let refused = Authorization(.denied, remedy: "Let your user open the receiver's port.")
        $0.at(0, .signal(.authorization(refused)))
        $0.at(1, request(a, .room))
        #expect($0.ending(a) == .unauthorized(refused))
      },
      Row("permission given later serves those who come then", asking: .person()) {
        $0.at(0, permits(.denied))
        $0.at(1, request(a, .room))
        $0.at(2, permits(.whenInUse))
        $0.at(3, request(b, .room))
        $0.at(4, live(fix(3, at: 4)))
        #expect($0.ending(b) == .reached(answer(fix(3, at: 4), age: 0, .room)))
      },
      Row("whoever asks after a refusal that its source does not watch makes it look again") {
        let refused = Authorization(.denied, noticesChanges: false, remedy: "Run chmod u+r.")
        $0.at(0, request(a, .room))
        $0.at(1, .signal(.authorization(refused)))
        #expect($0.ending(a) == .unauthorized(refused))
        let second = $0.at(2, request(b, .room))
        #expect(second.contains { if case .demand(let demand) = $0 { demand != .off } else { false } })
        $0.at(3, .signal(.authorization(refused)))
        #expect($0.ending(b) == .unauthorized(refused))
        // Beside a living subscription the demand is the same, and told again all the same.
        $0.at(4, subscribe(s))
        $0.at(5, .signal(.authorization(refused)))
        let third = $0.at(6, request(c, .room))
        #expect(third.contains { if case .demand = $0 { true } else { false } })
        $0.at(7, permits(.always))
        $0.at(8, live(fix(3, at: 8)))
        #expect($0.ending(c) == .reached(answer(fix(3, at: 8), age: 0, .room)))
      },
      Row("a fix from a source that looked again is its permission, and starts what waited for it") {
        $0.at(0, .signal(.authorization(Authorization(.denied, noticesChanges: false))))
        $0.at(1, request(a, .room, timeout: 10, starts: .whenAuthorized))
        #expect($0.wake == nil)
        $0.at(2, live(fix(500, at: 2)))
        #expect($0.status.authorization.isAllowed && $0.wake == t(12).instant)
      },
      Row("a fix that comes under a refusal is told to nobody, not even to those who ask why") {
        $0.at(0, permits(.denied))
        let effects = $0.at(1, live(fix(3, at: 1)))
        #expect(effects == [.decided(.fixWithheld(madeAt: utc(1)))])
      },
      Row("a fix that comes while fixes may not be had is used for nothing") {
        $0.at(0, subscribe(s))
        $0.at(0, permits(.denied))
        $0.at(1, live(fix(3, at: 1)))
        $0.at(2, permits(.always))
        #expect($0.fixes(s).isEmpty)
        #expect($0.refused == [.unauthorized: 1])
        $0.at(2, request(a, .city, timeout: 0))
        #expect($0.ending(a) == .timedOut(best: nil))
      },
      Row("how permission stands can be asked at any time", asking: .person()) {
        #expect($0.status.authorization.status == .notDetermined)
        for status in Authorization.Status.allCases {
          $0.at(0, permits(status))
          #expect($0.status.authorization.status == status)
        }
      },
      Row("whether there are headings can be asked at any time") {
        #expect($0.status.headings == .unknown)
        $0.at(0, .signal(.heading(try #require(heading(0)))))
        #expect($0.status.headings == .available)
        $0.at(1, .signal(.headingsUnavailable(noCompass)))
        #expect($0.status.headings == .unavailable(noCompass))
      },
    ]

  private static func memories(_ status: Authorization.Status) -> Row? {
    guard !Authorization(status).isAllowed else { return nil }
    return Row("\(status.rawValue) after it was allowed: what was known is given to nobody who comes later") {
      $0.at(0, live(fix(3, at: 0)))
      $0.at(1, permits(status))
      $0.at(1, request(a, .city, timeout: 0))
      #expect($0.ending(a) == .unauthorized(Authorization(status)))
      $0.at(2, permits(.always))
      $0.at(2, request(b, .city, timeout: 0))
      #expect($0.ending(b) == .timedOut(best: nil))
      $0.at(2, .subscribe(s, .fixes(FixTerms(level: .city, lastFixUpTo: .seconds(60)))))
      #expect($0.told[s] == nil)
    }
  }

  private static func refusals(_ status: Authorization.Status) -> [Row] {
    [
      Row("\(status.rawValue): every request that waits ends so, at once", asking: .person()) {
        $0.at(0, request(a, .room))
        $0.at(0, request(b, .city, timeout: 9, starts: .whenAuthorized))
        $0.at(1, permits(status))
        #expect($0.endings.map(\.id) == [a, b])
        #expect($0.endings.allSatisfy { $0.outcome == .unauthorized(Authorization(status)) })
        #expect($0.demand == .off)
      },
      Row("\(status.rawValue): a new request ends so, at once", asking: .person()) {
        $0.at(0, permits(status))
        let effects = $0.at(1, request(a, .room))
        #expect(effects == [.finish(a, .unauthorized(Authorization(status)))])
      },
      Row("\(status.rawValue): subscriptions are told and live on", asking: .person()) {
        $0.at(0, subscribe(s))
        $0.at(1, permits(status))
        $0.at(2, permits(.always))
        $0.at(3, live(fix(3, at: 3)))
        #expect(
          $0.told[s] == [
            .authorization(Authorization(status)), .authorization(Authorization(.always)),
            .fix(fix(3, at: 3)),
          ])
      },
    ]
  }
}
