import Testing
import WhereaboutsModel

@testable import WhereaboutsServer

@Suite struct AttemptLimiterTests {
  private func at(_ seconds: Double) -> Instant { Instant(.seconds(seconds)) }

  static let delays: [(failures: Int, delay: Duration)] = [
    (0, .zero), (1, .zero), (3, .zero), (4, .seconds(1)), (5, .seconds(2)), (6, .seconds(4)),
    (7, .seconds(8)),
    (8, .seconds(16)), (9, .seconds(30)), (10, .seconds(30)), (1_000, .seconds(30)),
  ]

  @Test(arguments: delays) func delayDoubles(failures: Int, delay: Duration) {
    var limiter = AttemptLimiter()
    for _ in 0..<failures { limiter.recordFailure(of: "a", at: at(5)) }
    #expect(limiter.delay(for: "a", at: at(5)) == delay)
    #expect(limiter.delay(for: "b", at: at(5)) == .zero)
  }

  @Test func delayRunsDown() {
    var limiter = AttemptLimiter()
    for _ in 0..<6 { limiter.recordFailure(of: "a", at: at(0)) }
    for (second, rest) in [(0.0, 4.0), (1, 3), (3.5, 0.5), (4, 0), (100, 0)] {
      #expect(limiter.delay(for: "a", at: at(second)) == .seconds(rest))
    }
  }

  @Test func failureIsRememberedForAWhile() {
    var limiter = AttemptLimiter()
    limiter.recordFailure(of: "a", at: at(0))
    #expect(limiter.hasFailed("a", at: at(599)) && !limiter.hasFailed("a", at: at(600)))
    #expect(!limiter.hasFailed("b", at: at(0)))
  }

  /// The number of failures, and the number of different attempts that may be pending at the same time.
  @Test(arguments: [(0, 4), (1, 3), (3, 1), (4, 1), (20, 1)])
  func pendingAttemptsAreBounded(failures: Int, allowed: Int) {
    var limiter = AttemptLimiter()
    for _ in 0..<failures { limiter.recordFailure(of: "a", at: at(0)) }
    func begin(_ attempt: String, of key: String = "a") -> Bool {
      limiter.begin(attempt, of: key, at: at(60))
    }
    let begun = (0..<16).map { begin("guess \($0)") }
    #expect(begun == (0..<16).map { $0 < allowed })
    // The same once more, as by the requests of one page.
    let isRepeated = begin("guess 0"), isOther = begin("guess 0", of: "b")
    #expect(isRepeated && isOther)
    limiter.end("guess 0", of: "a")
    let isEarly = begin("another")
    limiter.end("guess 0", of: "a")
    let isBegun = begin("another")
    #expect(!isEarly && isBegun)
  }

  @Test func failureTakesThePlaceOfAPendingAttempt() {
    var limiter = AttemptLimiter(), begun: [Bool] = []
    for number in 0..<4 { begun.append(limiter.begin("\(number)", of: "a", at: at(0))) }
    for number in 0..<4 {
      limiter.end("\(number)", of: "a")
      limiter.recordFailure(of: "a", at: at(0))
      begun.append(limiter.begin("later", of: "a", at: at(0)))
    }
    #expect(begun == [true, true, true, true, false, false, false, true])
    #expect(limiter.delay(for: "a", at: at(0)) == .seconds(1))
  }

  /// One password with many names at once.
  @Test func pendingUsersOfAnAddressAreBounded() {
    var limiter = AttemptLimiter()
    func origin(_ user: Int, _ address: String = "a") -> AttemptLimiter.Origin {
      AttemptLimiter.Origin(address: address, user: "\(address) \(user)")
    }
    let begun = (0..<16).map { limiter.begin("guess", of: origin($0), at: at(0)) }
    #expect(begun == (0..<16).map { $0 < 4 })
    let isOther = limiter.begin("guess", of: origin(0, "b"), at: at(0))
    #expect(isOther)
    for user in 0..<4 {
      limiter.end("guess", of: origin(user))
      limiter.recordFailure(of: origin(user), at: at(0))
    }
    #expect(limiter.delay(for: origin(16), at: at(0)) == .seconds(1))
    let later = (16..<20).map { limiter.begin("guess", of: origin($0), at: at(1)) }
    #expect(later == [true, false, false, false])
    // A refused attempt leaves nothing behind.
    limiter.end("guess", of: origin(16))
    let next = (16..<18).map { limiter.begin("another", of: origin($0), at: at(1)) }
    #expect(next == [true, false])
  }

  @Test func successForgetsFailures() {
    var limiter = AttemptLimiter()
    for _ in 0..<6 { limiter.recordFailure(of: "a", at: at(0)) }
    limiter.recordSuccess(of: "a")
    #expect(limiter.delay(for: "a", at: at(0)) == .zero && limiter.count == 0)
  }

  @Test(arguments: [(599.0, Duration.seconds(16)), (600, .zero)])
  func failuresAreForgottenAfterAWhile(second: Double, delay: Duration) {
    var limiter = AttemptLimiter()
    for _ in 0..<7 { limiter.recordFailure(of: "a", at: at(0)) }
    limiter.recordFailure(of: "a", at: at(second))
    #expect(limiter.delay(for: "a", at: at(second)) == delay)
  }

  @Test func floodOfKeysIsBounded() {
    var limiter = AttemptLimiter(capacity: 100)
    for number in 0..<10_000 {
      limiter.recordFailure(of: "\(number)", at: at(Double(number) / 100))
      // One key keeps failing.
      if number % 10 == 0 { limiter.recordFailure(of: "persistent", at: at(Double(number) / 100)) }
      #expect(limiter.count <= 100)
    }
    #expect(limiter.delay(for: "persistent", at: at(100)) > .seconds(29))
  }

  @Test func oldKeysMakeRoomFirst() {
    var limiter = AttemptLimiter(capacity: 2)
    for key in ["old", "new"] { limiter.recordFailure(of: key, at: at(key == "old" ? 0 : 500)) }
    for _ in 0..<3 { limiter.recordFailure(of: "new", at: at(500)) }
    limiter.recordFailure(of: "third", at: at(700))
    #expect(limiter.count == 2)
    limiter.recordFailure(of: "new", at: at(700))
    #expect(limiter.delay(for: "new", at: at(700)) == .seconds(2))
  }
}
