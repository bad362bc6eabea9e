// Follows the device and prints the distance travelled, once for each 100 m, until the source ends.
//
// usage: FollowAndMeasure [RECORDING]     without a recording: gpsd, or a receiver that is plugged in

import Whereabouts
import WhereaboutsSources

func makeManager(_ recording: String?) -> LocationManager {
  if let recording { return LocationManager(source: ReplaySource(path: recording, speed: .asFastAsPossible)) }
  return LocationManager(source: .automatic)
}

let manager = makeManager(CommandLine.arguments.dropFirst().first)
let tracker = manager.tracker(.car)
try await tracker.start()
var printed = 0.0
for await update in tracker.updates {
  guard update.liveDistance >= printed + 100 else { continue }
  printed = update.liveDistance
  print("\(Int(update.liveDistance)) m ± \(Int(update.totals.uncertainty)) m, \(update.motion)")
}
let totals = await tracker.totals
print("\(Int(totals.distance)) m ± \(Int(totals.uncertainty)) m settled")
