// Requests one fix, at most ten seconds long, and prints it.
//
// usage: AskOnce [RECORDING]     without a recording: gpsd, or a receiver that is plugged in

import Whereabouts
import WhereaboutsSources

func makeManager(_ recording: String?) -> LocationManager {
  if let recording { return LocationManager(source: ReplaySource(path: recording, speed: .asFastAsPossible)) }
  return LocationManager(source: .automatic)
}

let manager = makeManager(CommandLine.arguments.dropFirst().first)
do {
  let answer = try await manager.fix(.house, timeout: .seconds(10))
  print(answer.fix.coordinate, "within", answer.fix.horizontalAccuracy ?? .nan, "m")
} catch {
  print("No fix within 15 m: \(error).")
  if let best = error.best { print("The best was", best.fix.coordinate) }
}
