import WhereaboutsEngine
import WhereaboutsModel

/// The maximum number of operations on the array at once: each takes it milliseconds where many are pending.
private let boundForArray = 20

/// Pending requests, and which of them to end: at random, as people do.
struct PendingRequests {
  let terms: [RequestTerms]
  let name: String
  private let shuffled: [UInt64]

  init(_ count: Int, distinctLevels: Bool = false) {
    terms = RequestBench.terms(count, distinctLevels: distinctLevels)
    name = "\(count)" + (distinctLevels ? " of levels of their own" : "")
    shuffled = (1...UInt64(count)).shuffled()
  }

  func measureFixThatEndsNone() {
    let track = fixes(max(20, 200_000 / terms.count), accuracy: 500)
    let ours = median(per: track.count) {
      Bench(terms)
    } _: { bench in
      for (index, fix) in track.enumerated() { bench.process(fix, at: index) }
    }
    let array = median(per: track.count) {
      ArrayOfRequests(terms, at: .start)
    } _: { array in
      for index in track.indices { array.process(accuracy: 500, at: moment(index).instant) }
    }
    report("fix that ends none of \(name)", ours: ours, array: array)
  }

  func measureAdding() {
    let operations = min(1000, terms.count), first = UInt64(terms.count + 1)
    let ours = median(per: operations) {
      Bench(terms)
    } _: { bench in
      for index in 0..<operations { bench.process(.request(RequestID(first + UInt64(index)), terms[index])) }
    }
    let bounded = min(operations, boundForArray)
    let array = median(per: bounded) {
      ArrayOfRequests(terms, at: .start)
    } _: { array in
      for index in 0..<bounded { array.add(first + UInt64(index), terms[index], at: .start) }
    }
    report("adding one beside \(name)", ours: ours, array: array)
  }

  func measureEndingOneByOne(_ what: String, _ input: (RequestID) -> Input) {
    let operations = min(1000, terms.count)
    let ours = median(per: operations) {
      Bench(terms)
    } _: { bench in
      for number in shuffled.prefix(operations) { bench.process(input(RequestID(number))) }
    }
    let bounded = min(operations, boundForArray)
    let array = median(per: bounded) {
      ArrayOfRequests(terms, at: .start)
    } _: { array in
      for number in shuffled.prefix(bounded) { array.end(number) }
    }
    report("\(what) one of \(name)", ours: ours, array: array)
  }

  /// One fix, or one wake, ends all; the array is to end no more than a thousand, for it takes minutes otherwise.
  func measureEndingAll() {
    let fix = fixes(1, accuracy: 1)[0], late = 200_000_000
    // The caller's array has room, as it has after the first time.
    var warm = Bench(terms)
    warm.process(fix)
    var room = warm.effects
    func withDiskSpace() -> Bench {
      var bench = Bench(terms)
      swap(&bench.effects, &room)
      bench.effects.removeAll(keepingCapacity: true)
      return bench
    }
    let oursByFix = median(per: terms.count, prepare: withDiskSpace) {
      $0.process(fix)
      swap(&$0.effects, &room)
    }
    let oursWithoutRoom = median(per: terms.count) {
      Bench(terms)
    } _: {
      $0.process(fix)
    }
    let oursByWake = median(per: terms.count, prepare: withDiskSpace) {
      $0.process(.wake, at: late)
      swap(&$0.effects, &room)
    }
    guard terms.count <= 1000 else {
      report("one fix ends all \(name), each", ours: oursByFix)
      report("  where the caller's array has no room yet", ours: oursWithoutRoom)
      report("one wake ends all \(name), each", ours: oursByWake)
      return
    }
    let arrayByFix = median(per: terms.count) {
      ArrayOfRequests(terms, at: .start)
    } _: {
      $0.process(accuracy: 1, at: .start)
    }
    let arrayByWake = median(per: terms.count) {
      ArrayOfRequests(terms, at: .start)
    } _: {
      $0.wake(at: moment(late).instant)
    }
    report("one fix ends all \(name), each", ours: oursByFix, array: arrayByFix)
    report("  where the caller's array has no room yet", ours: oursWithoutRoom, array: arrayByFix)
    report("one wake ends all \(name), each", ours: oursByWake, array: arrayByWake)
  }
}
