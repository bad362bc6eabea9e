// Times distances on the ellipsoid, on the same pairs as Peers/geodesic.cpp.
//
//   GeodesicBench [PAIRS [RUNS [FUNCTION [SET]]]]
//
// A line for each set of pairs and function: nanoseconds a call (median, least, most of the runs) and the sum of all
// results, which is the peer's where both computed the same.

import WhereaboutsGeodesy

let arguments = CommandLine.arguments
let count = arguments.count > 1 ? Int(arguments[1]) ?? 200_000 : 200_000
let runs = arguments.count > 2 ? Int(arguments[2]) ?? 9 : 9

for set in PairSet.allCases where arguments.count < 5 || arguments[4] == set.rawValue {
  let pairs = set.pairs(count, seed: 1)
  for function in Function.all where arguments.count < 4 || arguments[3] == function.name {
    var times: [Double] = []
    var sum = 0.0
    for _ in 0..<runs {
      let clock = ContinuousClock()
      let time = clock.measure { sum = function.run(pairs) }
      times.append(time / .nanoseconds(1) / Double(count))
    }
    times.sort()
    print("\(set.rawValue) \(function.name) \(times[runs / 2]) \(times[0]) \(times[runs - 1]) \(sum)")
  }
}
