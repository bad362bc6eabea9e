// Watches a circle and prints each event once, also after the program was killed and started again.
//
// usage: FenceWithStore STORE [RECORDING]     without a recording: gpsd, or a receiver that is plugged in

import Foundation
import Whereabouts
import WhereaboutsSources
import WhereaboutsStore

let arguments = Array(CommandLine.arguments.dropFirst())
guard let file = arguments.first else {
  print("usage: FenceWithStore STORE [RECORDING]")
  exit(2)
}
let store = try SQLiteStore.open(at: file)

func makeManager(_ recording: String?) -> LocationManager {
  if let recording {
    return LocationManager(source: ReplaySource(path: recording, speed: .asFastAsPossible), store: store)
  }
  return LocationManager(source: .automatic, store: store)
}

let manager = makeManager(arguments.dropFirst().first)
// The store has the fence of an earlier run, with its state; adding it again would be an error.
if await manager.fences.all.isEmpty, let center = Coordinate(latitude: 51.483652, longitude: 0.004439) {
  let circle = try Area.Circle(center: center, radius: 80)
  try await manager.fences.add(Fence(id: "school", area: .circle(circle)))
}
for await update in manager.fences.updates(for: "printer") {
  if let event = update.event {
    print(event.fence, event.kind, event.time, "±", event.timeUncertainty, "s")
  }
  // Only then is the event not delivered again.
  if let number = update.number { try await manager.fences.acknowledge(through: number, by: "printer") }
}
