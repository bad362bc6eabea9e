// The cost of one fix and one request for the engine, beside the obvious way: an array of requests that is scanned.
//
// usage: RequestBench [RUNS]
//        RequestBench count OPERATION PENDING    for an instruction counter: add, cancel, fix or all, see below
//
// Each figure is the median of RUNS (5); both ways are timed in turn in the same run, so quote the ratio.

import WhereaboutsEngine
import WhereaboutsModel

func measureSubscriptions() {
  let track = fixes(100_000, accuracy: 8)
  for filter in [0.0, 10] {
    let nanoseconds = median(per: track.count) {
      var bench = Bench([])
      bench.process(.subscribe(SubscriptionID(1), .fixes(FixTerms(level: .house, distanceFilter: filter))))
      return bench
    } _: { bench in
      for (index, fix) in track.enumerated() { bench.process(fix, at: index) }
    }
    report("fix, 1 subscriber, filter \(Int(filter)) m", ours: nanoseconds)
  }
}

/// The cost of the outlier test for a fix, as a difference.
func measureOutliers() {
  let track = fixes(100_000, accuracy: 8)
  for (name, settings) in [("with", Outlier.Settings()), ("without", nil)] {
    let nanoseconds = median(per: track.count) {
      var bench = Bench([])
      bench.engine = Engine(settings: EngineSettings(motion: nil, outliers: settings))
      bench.process(.subscribe(SubscriptionID(1), .fixes(FixTerms(level: .house))))
      return bench
    } _: { bench in
      for (index, fix) in track.enumerated() { bench.process(fix, at: index) }
    }
    report("fix, 1 subscriber, \(name) outlier test, no motion", ours: nanoseconds)
  }
}

func measureRequests() {
  for count in [10, 1000, 100_000] {
    let pending = PendingRequests(count)
    pending.measureFixThatEndsNone()
    pending.measureAdding()
    pending.measureEndingOneByOne("cancelling") { .cancel($0) }
    pending.measureEndingOneByOne("completing") { .completeNow($0) }
    pending.measureEndingAll()
  }
  let ownLevels = PendingRequests(100_000, distinctLevels: true)
  ownLevels.measureFixThatEndsNone()
  ownLevels.measureAdding()
  ownLevels.measureEndingOneByOne("cancelling") { .cancel($0) }
  ownLevels.measureEndingAll()
}

if CommandLine.arguments.dropFirst().first == "count", CommandLine.arguments.count == 4,
  let pending = Int(CommandLine.arguments[3])
{
  carryOut(CommandLine.arguments[2], pending: pending)
} else {
  measureSubscriptions()
  measureOutliers()
  measureRequests()
}
