// Times geodesics, on the same pairs as Peers/geodesic.cpp, or checks the bound of the short distance.
//
//   GeodesicBench [PAIRS [RUNS [FUNCTION [SET]]]]
//   GeodesicBench bound [PAIRS [SEED]]
//
// The first prints a line for each set of pairs and function: nanoseconds a call (median, least, most of the runs) and
// the sum of all results, which is the peer's to 14 digits.

import WhereaboutsGeodesy

struct BoundExceeded: Error {}

let arguments = CommandLine.arguments
func number(_ index: Int, or other: Int) -> Int {
  arguments.count > index ? Int(arguments[index]) ?? other : other
}

func timeAll(pairs count: Int, runs: Int) {
  for set in PairSet.allCases where arguments.count < 5 || arguments[4] == set.rawValue {
    let pairs = set.pairs(count, seed: 1)
    for function in Function.all where arguments.count < 4 || arguments[3] == function.name {
      var times: [Double] = []
      var sum = 0.0
      for _ in 0..<runs {
        let time = ContinuousClock().measure { sum = function.run(pairs) }
        times.append(time / .nanoseconds(1) / Double(count))
      }
      times.sort()
      let (median, least, most) = (times[runs / 2], times[0], times[runs - 1])
      print("\(set.rawValue) \(function.name) \(median) \(least) \(most) \(sum)")
    }
  }
}

if arguments.count > 1, arguments[1] == "bound" {
  guard checkBound(pairs: number(2, or: 1_000_000), seed: UInt64(number(3, or: 1))) else {
    throw BoundExceeded()
  }
} else {
  timeAll(pairs: number(1, or: 200_000), runs: number(2, or: 9))
}
