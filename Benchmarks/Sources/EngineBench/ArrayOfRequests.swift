import WhereaboutsCore

/// The obvious way to keep requests: in an array, looked through for each fix and each cancellation.
struct ArrayOfRequests {
  private struct Request {
    var number: UInt64
    var terms: RequestTerms
    var deadline: Instant
  }

  private var requests: [Request] = []
  private(set) var ended = 0
  private(set) var demand = Double.infinity

  mutating func add(_ number: UInt64, _ terms: RequestTerms, at now: Instant) {
    requests.append(
      Request(
        number: number, terms: terms, deadline: now.advanced(by: terms.timeout ?? .seconds(1_000_000_000))))
    findDemand()
  }

  mutating func remove(_ number: UInt64) {
    requests.removeAll { $0.number == number }
    findDemand()
  }

  mutating func take(_ fix: Fix, at now: Instant) {
    let accuracy = fix.horizontalAccuracy ?? .infinity
    let before = requests.count
    requests.removeAll {
      $0.deadline <= now || $0.terms.level.isReached(byAccuracy: accuracy, age: .zero)
    }
    ended += before - requests.count
    if requests.count != before { findDemand() }
  }

  private mutating func findDemand() {
    demand = requests.reduce(.infinity) { min($0, $1.terms.level.worstAccuracy) }
  }
}
