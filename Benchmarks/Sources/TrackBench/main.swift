// The cost of a fix for an odometer, beside the plain sum of the steps.
//
// usage: TrackBench [RUNS]
//        TrackBench odometer SCENE COUNT MADE  for a counter of instructions or allocations: a warm odometer processes
//                                              COUNT of the MADE fixes; scenes are speeds and bare
//        TrackBench plain SCENE COUNT MADE     the same for an engine with a plain subscription
//        TrackBench tracker SCENE COUNT MADE   the same for an engine with a tracker
//        TrackBench gpx SCENE COUNT FILE       the fixes as a GPX file, for peers
//
// Each figure is the median of RUNS (5), in processor time. Quote the ratio to the sum of the steps, which is timed in the same run.

import Foundation
import WhereaboutsEngine
import Whereabouts
import WhereaboutsFormats

/// Fixes that come first, so that what is measured is warm.
let warmth = 1000

func warmOdometer(_ scene: Scene) -> Odometer {
  var odometer = Odometer()
  process(scene.fixes(warmth), into: &odometer)
  return odometer
}

/// The fixes that follow those that warm.
func following(_ scene: Scene, _ count: Int) -> [Fix] {
  Array(scene.fixes(warmth + count).dropFirst(warmth))
}

func report(_ what: String, _ nanoseconds: Double, beside sum: Double? = nil) {
  var line = "  " + what + String(repeating: " ", count: max(1, 46 - what.count))
  line += "\(Int(nanoseconds.rounded())) ns"
  if let sum { line += ", \((nanoseconds / sum * 10).rounded() / 10) sums of steps" }
  print(line)
}

func measureScene(_ scene: Scene, runs: Int) {
  let fixes = following(scene, 20_000)
  print(scene.rawValue)
  let sum = median(of: runs, per: fixes.count) {
    0.0
  } _: {
    $0 = summed(fixes)
  }
  report("sum of geodesic steps, a fix", sum)
  let odometer = median(of: runs, per: fixes.count) {
    warmOdometer(scene)
  } _: {
    process(fixes, into: &$0)
  }
  report("odometer, a fix", odometer, beside: sum)
  let plain = median(of: runs, per: fixes.count) {
    Tracking(.fixes(FixTerms(level: .city)))
  } _: {
    $0.process(fixes)
  }
  report("engine with a plain subscription, a fix", plain, beside: sum)
  let tracked = median(of: runs, per: fixes.count) {
    Tracking(.track(TrackTerms()))
  } _: {
    $0.process(fixes)
  }
  report("engine with a tracker, a fix", tracked, beside: sum)
}

func measureDuration(runs: Int) {
  print("how it grows: odometer, a fix, 1 s with speeds")
  for hours in [1, 10, 100] {
    let fixes = following(.speeds, hours * 3600)
    let cost = median(of: runs, per: fixes.count) {
      warmOdometer(.speeds)
    } _: {
      process(fixes, into: &$0)
    }
    report("\(hours) h", cost)
  }
}

func measureMemory() {
  let count = 1000, warm = Scene.speeds.fixes(warmth)
  guard let before = residentMemory() else {
    print("memory of an odometer: not known here")
    return
  }
  var odometers = (0..<count).map { _ in Odometer() }
  for index in odometers.indices { process(warm, into: &odometers[index]) }
  let size = (residentMemory() ?? before) - before
  print("memory of an odometer, the mean of \(count): \(size / count / 1024) KiB")
}

func scene(_ name: String) -> Scene? { ["speeds": .speeds, "bare": .bare][name] }

let arguments = Array(CommandLine.arguments.dropFirst())
if arguments.first == "odometer", arguments.count == 4, let scene = scene(arguments[1]),
  let count = Int(arguments[2]), let made = Int(arguments[3])
{
  var odometer = warmOdometer(scene)
  counted(Array(following(scene, made).prefix(count)), into: &odometer)
  print(odometer.totals.distance)
} else if arguments.first == "plain" || arguments.first == "tracker", arguments.count == 4,
  let scene = scene(arguments[1]), let count = Int(arguments[2]), let made = Int(arguments[3])
{
  var tracking = Tracking(arguments.first == "plain" ? .fixes(FixTerms(level: .city)) : .track(TrackTerms()))
  let fixes = scene.fixes(warmth + made)
  tracking.process(Array(fixes.prefix(warmth)))
  tracking.counted(Array(fixes.dropFirst(warmth).prefix(count)))
} else if arguments.first == "gpx", arguments.count == 4, let scene = scene(arguments[1]),
  let count = Int(arguments[2])
{
  var writer = GPXWriter(), bytes: [UInt8] = []
  for fix in following(scene, count) { writer.write(.fix(fix), to: &bytes) }
  writer.finish(to: &bytes)
  try Data(bytes).write(to: URL(fileURLWithPath: arguments[3]))
} else {
  let runs = arguments.first.flatMap { Int($0) } ?? 5
  for scene in Scene.allCases { measureScene(scene, runs: runs) }
  measureDuration(runs: runs)
  measureMemory()
}
