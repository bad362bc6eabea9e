// Follows the device and prints the distance travelled, once for each 100 m, until the source ends.
//
// usage: FollowAndMeasure [RECORDING]     without a recording: gpsd, or a receiver that is plugged in

import Whereabouts
import WhereaboutsSources

// The source starts after the tracker: a fast recording would not wait for it, and its first fixes would not count.
func makeManager(_ recording: String?) -> LocationManager {
  if let recording {
    let source = ReplaySource(path: recording, speed: .asFastAsPossible)
    return LocationManager(source: source, startsSource: false)
  }
  return LocationManager(source: .automatic, startsSource: false)
}

let manager = makeManager(CommandLine.arguments.dropFirst().first)
let tracker = manager.tracker(.car)
try await tracker.start()
manager.startSource()
var printed = 0.0
for await update in tracker.updates {
  guard update.liveDistance >= printed + 100 else { continue }
  printed = update.liveDistance
  print("\(Int(update.liveDistance)) m ± \(Int(update.totals.uncertainty)) m, \(update.motion)")
}
let totals = await tracker.totals
print("\(Int(totals.distance)) m ± \(Int(totals.uncertainty)) m settled")
