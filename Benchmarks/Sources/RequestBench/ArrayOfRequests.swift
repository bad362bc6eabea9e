import WhereaboutsModel

/// The obvious way to keep requests: an immutable array of objects, looked through for everything.
///
/// As apps do it that keep all their requests in one list: adding copies the list, looks through it for the highest
/// accuracy that anyone needs, and then holds the last fix against everybody; a fix is held against everybody; whoever
/// ends is searched, the list is copied without them, and looked through again for what the rest need.
struct ArrayOfRequests {
  private final class Request {
    let number: UInt64
    let terms: RequestTerms
    let deadline: Instant

    init(number: UInt64, terms: RequestTerms, at now: Instant) {
      self.number = number
      self.terms = terms
      deadline = now.advanced(by: terms.timeout ?? .seconds(1_000_000_000))
    }
  }

  private var requests: [Request] = []
  private var last: (accuracy: Double, validAt: Instant)?
  private var finest = Double.infinity
  /// The number of ended requests, so that the compiler can leave nothing of this out.
  private(set) var ended = 0

  /// An array that holds so many requests already, without the cost of having added them.
  init(_ terms: [RequestTerms], at now: Instant) {
    requests = terms.enumerated().map { Request(number: UInt64($0.offset + 1), terms: $0.element, at: now) }
  }

  mutating func add(_ number: UInt64, _ terms: RequestTerms, at now: Instant) {
    var longer = Array(requests)
    longer.append(Request(number: number, terms: terms, at: now))
    requests = longer
    findFinest()
    endWhoCan(at: now)
  }

  mutating func end(_ number: UInt64) {
    guard let index = requests.firstIndex(where: { $0.number == number }) else { return }
    var shorter = Array(requests)
    shorter.remove(at: index)
    requests = shorter
    ended += 1
    findFinest()
  }

  mutating func process(accuracy: Double, at now: Instant) {
    last = (accuracy, now)
    endWhoCan(at: now)
  }

  mutating func wake(at now: Instant) {
    endWhoCan(at: now)
  }

  private mutating func endWhoCan(at now: Instant) {
    for request in requests {
      if request.deadline <= now {
        end(request.number)
      } else if let last,
        request.terms.level.isReached(byAccuracy: last.accuracy, age: now.since(last.validAt))
      {
        end(request.number)
      }
    }
  }

  private mutating func findFinest() {
    finest = requests.reduce(.infinity) { min($0, $1.terms.level.worstAccuracy) }
  }
}
