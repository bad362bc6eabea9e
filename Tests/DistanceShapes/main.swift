// The error of the odometer on tracks of simple shapes whose fixes state no speed.
//
// usage: DistanceShapes [SEEDS]    12 if left out

import EngineTestSupport
import Foundation
import WhereaboutsTesting

/// The mean error, its size in stated deviations, and the share of runs within one.
func column(_ score: ShapeScore) -> String {
  let deviations = score.meanUncertainty > 0 ? score.meanOff / score.meanUncertainty : 0
  return String(format: "%+9.2f %5.1f %4.0f", score.meanError, deviations, 100 * score.shareWithin)
}

func padded(_ text: String) -> String { text.padding(toLength: 20, withPad: " ", startingAt: 0) }

let seeds = CommandLine.arguments.dropFirst().first.map { UInt64($0) ?? 0 } ?? 12
guard seeds > 0 else {
  FileHandle.standardError.write(Data("DistanceShapes: SEEDS is a number above 0\n".utf8))
  exit(2)
}
print("Shapes without stated speeds, 1 Hz, \(seeds) seeds. In each column: mean error in % (at rest in m/h),")
print("its size in stated standard deviations, and % of runs within one.")
print("Exact fixes state 1 m; the error of those with noise is 3 m on each axis and lasts 30 s.")
print(padded("") + TrackShape.Pace.allCases.map { padded("          " + $0.rawValue) }.joined())
for receiver in ShapeScore.Receiver.allCases {
  for shape in TrackShape.allCases {
    let columns = TrackShape.Pace.allCases.map { pace in
      guard shape.paces.contains(pace) else { return padded("") }
      return column(ShapeScore(shape, at: pace, receiver, seeds: 1...seeds))
    }
    print(padded("\(receiver.rawValue) \(shape.rawValue)") + columns.joined())
  }
}
