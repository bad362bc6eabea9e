// What one fix and one request cost the engine, beside the obvious way: an array of requests that is scanned.
//
// usage: EngineBench [RUNS]
//
// Each figure is the median of RUNS (5); both ways are timed in turn in the same run, so quote the ratio.

import WhereaboutsCore
import WhereaboutsGeodesy

let runs = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 5
let place = Coordinate(latitude: 47, longitude: 8)

func moment(_ milliseconds: Int) -> Moment {
  Moment(instant: Instant(.milliseconds(milliseconds)), wall: nil)
}

/// A fix every 100 ms, each a metre on; of an accuracy that no level but city and neighborhood reaches.
func fixes(_ count: Int, accuracy: Double) -> [Fix] {
  (0..<count).compactMap { index in
    guard let here = Coordinate(latitude: 47 + Double(index) * 9e-6, longitude: 8) else { return nil }
    var fix = Fix(
      coordinate: here, time: UTCTime(nanosecondsSince1970: Int64(index + 1) * 100_000_000), source: .scripted
    )
    fix.horizontalAccuracy = accuracy
    fix.speed = 10
    return fix
  }
}

/// Nanoseconds an operation takes, the median of all runs.
func median(_ operations: Int, _ body: () -> Void) -> Double {
  let clock = ContinuousClock()
  let times = (0..<runs).map { _ in clock.measure(body) / .nanoseconds(1) / Double(operations) }
  return times.sorted()[runs / 2]
}

func report(_ what: String, ours: Double, array: Double? = nil) {
  var line = what + String(repeating: " ", count: max(1, 46 - what.count)) + "\(Int(ours.rounded())) ns"
  if let array {
    line += "   array \(Int(array.rounded())) ns   ratio \((array / ours * 10).rounded() / 10)"
  }
  print(line)
}

func measureSubscriptions() {
  let track = fixes(100_000, accuracy: 8)
  for filter in [0.0, 10] {
    let nanoseconds = median(track.count) {
      var engine = Engine(), effects: [Effect] = []
      engine.handle(
        .subscribe(SubscriptionID(1), .fixes(FixTerms(level: .house, distanceFilter: filter))),
        at: moment(0),
        into: &effects)
      for (index, fix) in track.enumerated() {
        effects.removeAll(keepingCapacity: true)
        engine.handle(.signal(.fix(fix, age: .sinceArrival)), at: moment(index), into: &effects)
      }
    }
    report("fix, 1 subscriber, filter \(Int(filter)) m", ours: nanoseconds)
  }
}

func measureRequests(pending: Int) {
  // Levels that a fix of 500 m does not reach.
  let levels: [AccuracyLevel] = [.block, .house, .room]
  var engine = Engine(), array = ArrayOfRequests(), effects: [Effect] = []
  for number in 1...pending {
    let terms = RequestTerms(level: levels[number % 3], timeout: .seconds(100_000 + number))
    engine.handle(.request(RequestID(UInt64(number)), terms), at: moment(0), into: &effects)
    array.add(UInt64(number), terms, at: .start)
  }
  let track = fixes(max(20, 200_000 / pending), accuracy: 500)
  let ours = median(track.count) {
    var engine = engine
    for (index, fix) in track.enumerated() {
      effects.removeAll(keepingCapacity: true)
      engine.handle(.signal(.fix(fix, age: .sinceArrival)), at: moment(index), into: &effects)
    }
  }
  let scanned = median(track.count) {
    for (index, fix) in track.enumerated() { array.take(fix, at: moment(index).instant) }
  }
  report("fix that ends none of \(pending) requests", ours: ours, array: scanned)

  let rounds = min(10_000, max(20, 2_000_000 / pending))
  let terms = RequestTerms(level: .house, timeout: .seconds(10))
  let first = UInt64(pending + 1)
  let added = median(rounds) {
    for number in first..<first + UInt64(rounds) {
      effects.removeAll(keepingCapacity: true)
      engine.handle(.request(RequestID(number), terms), at: moment(0), into: &effects)
      engine.handle(.cancel(RequestID(number)), at: moment(0), into: &effects)
    }
  }
  let addedToArray = median(rounds) {
    for number in first..<first + UInt64(rounds) {
      array.add(number, terms, at: .start)
      array.remove(number)
    }
  }
  report("adding and cancelling one beside \(pending)", ours: added, array: addedToArray)
}

measureSubscriptions()
for pending in [10, 1000, 100_000] { measureRequests(pending: pending) }
