// The cost of an update of a position among many fences.
//
// usage: FenceBench make DIRECTORY
//        FenceBench ENGINE FENCES UPDATES [RUNS [MOST]]   ENGINE is one, batch, near, watch or change
//
// Prints engine, seconds to build, bytes a fence, nanoseconds an update, enters, exits; for change nanoseconds of a removal and of an
// insertion. Peers/fences.cpp prints the same for others. Each figure is the median of RUNS (3), in processor time.

import Foundation
import WhereaboutsEngine
import WhereaboutsModel
import WhereaboutsGeodesy

func make(_ directory: String) throws {
  for spread in FenceWorld.Spread.allCases {
    for count in [1_000, 10_000, 100_000, 1_000_000] {
      var world = FenceWorld(spread, seed: 1)
      try FenceFiles.write(circles: world.circles(count), to: "\(directory)/circles-\(spread)-\(count)")
      guard count <= 100_000 else { continue }
      world = FenceWorld(spread, seed: 2)
      try FenceFiles.write(polygons: world.polygons(count), to: "\(directory)/polygons-\(spread)-\(count)")
    }
    for devices in [1, 1_000, 100_000] {
      var world = FenceWorld(spread, seed: 3)
      let updates = world.updates(devices == 100_000 ? 2_000_000 : 1_000_000, devices: devices)
      try FenceFiles.write(
        updates: updates, devices: devices, to: "\(directory)/updates-\(spread)-\(devices)")
    }
  }
}

typealias Updates = [(device: Int, place: Coordinate)]

/// Each function is called apart, so that a counter of instructions can tell it: `--toggle-collect=*counted*`.
@inline(never)
func countedOne(_ index: AreaIndex, _ updates: Updates, _ crossings: inout Crossings) {
  var keys: [UInt32] = []
  for update in updates {
    index.containing(update.place, into: &keys)
    crossings.process(keys, of: update.device)
  }
}

@inline(never)
func countedBatch(_ index: AreaIndex, _ updates: Updates, _ crossings: inout Crossings) {
  var places: [Coordinate] = []
  for start in stride(from: 0, to: updates.count, by: 256) {
    places.removeAll(keepingCapacity: true)
    for update in updates[start..<min(start + 256, updates.count)] { places.append(update.place) }
    index.containing(places) { index, keys in
      crossings.process(keys, of: updates[start + index].device)
    }
  }
}

@inline(never)
func countedNear(_ index: AreaIndex, _ updates: Updates, _ crossings: inout Crossings) {
  var found: [AreaIndex.Nearby] = [], keys: [UInt32] = []
  for update in updates {
    index.near(update.place, within: 25, into: &found)
    keys.removeAll(keepingCapacity: true)
    for area in found where area.distance.isInside { keys.append(area.key) }
    crossings.process(keys, of: update.device)
  }
}

func run(_ engine: String, _ fences: String, _ updates: String, runs: Int, most: Int) throws {
  let areas = try FenceFiles.areas(fences)
  let (devices, all) = try FenceFiles.updates(updates)
  let measured = Array(all.prefix(most))
  if engine == "watch" { return watch(areas, measured, devices: devices) }
  let before = residentMemory()
  var index = AreaIndex()
  let build = timed { index.insert(contentsOf: zip(0..., areas)) }
  let bytes = before.flatMap { before in residentMemory().map { ($0 - before) / areas.count } }
  if engine == "change" { return change(&index, areas, runs: runs) }
  var times: [Double] = [], crossings = Crossings(devices: devices)
  for _ in 0..<runs {
    crossings = Crossings(devices: devices)
    times.append(
      timed {
        switch engine {
        case "batch": countedBatch(index, measured, &crossings)
        case "near": countedNear(index, measured, &crossings)
        default: countedOne(index, measured, &crossings)
        }
      } / Double(measured.count))
  }
  let seconds = (build / 1e6).rounded() / 1e3, cost = (median(times) * 10).rounded() / 10
  print(engine, seconds, bytes.map { "\($0)" } ?? "-", cost, crossings.enters, crossings.exits)
}

/// The whole engine of crossings: fixes of 5 m accuracy a second apart, each vehicle with its own watch, all with one
/// registry.
@inline(never)
func countedWatch(_ registry: FenceRegistry, _ fixes: [(device: Int, fix: Fix)], devices: Int) -> (
  enters: Int, exits: Int
) {
  var watches = Array(repeating: FenceWatch(), count: devices), records: [FenceRecord] = []
  var enters = 0, exits = 0
  for (device, fix) in fixes {
    watches[device].process(fix, in: registry, into: &records)
    if records.isEmpty { continue }
    for case .event(let event) in records {
      if event.kind == .enter { enters += 1 }
      if event.kind == .exit { exits += 1 }
    }
    records.removeAll(keepingCapacity: true)
  }
  return (enters, exits)
}

func watch(_ areas: [Area], _ updates: Updates, devices: Int) {
  var registry = FenceRegistry()
  let build = timed {
    _ = registry.add(
      contentsOf: areas.enumerated().lazy.map { Fence(id: FenceID("\($0.offset)"), area: $0.element) })
  }
  let fixes = updates.enumerated().map { index, update in
    let time = UTCTime(
      nanosecondsSince1970: 1_700_000_000_000_000_000 + Int64(index / devices) * 1_000_000_000)
    var fix = Fix(coordinate: update.place, time: time, source: .nmea)
    fix.horizontalAccuracy = 5
    return (device: update.device, fix: fix)
  }
  var counts = (enters: 0, exits: 0)
  let cost = timed { counts = countedWatch(registry, fixes, devices: devices) } / Double(fixes.count)
  print("watch", (build / 1e6).rounded() / 1e3, "-", (cost * 10).rounded() / 10, counts.enters, counts.exits)
}

func change(_ index: inout AreaIndex, _ areas: [Area], runs: Int) {
  var random = SystemRandomNumberGenerator()
  let keys = (0..<UInt32(areas.count)).shuffled(using: &random).prefix(100_000)
  var removals: [Double] = [], insertions: [Double] = [], longest = 0.0
  for _ in 0..<runs {
    removals.append(timed { for key in keys { index.remove(key) } } / Double(keys.count))
    insertions.append(
      timed { for key in keys { index.insert(areas[Int(key)], as: key) } } / Double(keys.count))
  }
  for key in keys {
    longest = max(
      longest,
      timed {
        index.remove(key)
        index.insert(areas[Int(key)], as: key)
      })
  }
  print(
    "change: removal", Int(median(removals)), "insertion", Int(median(insertions)), "longest of both",
    Int(longest))
}

let arguments = Array(CommandLine.arguments.dropFirst())
if arguments.count == 2, arguments[0] == "make" {
  try make(arguments[1])
} else if arguments.count >= 3 {
  let runs = arguments.count > 3 ? Int(arguments[3]) ?? 3 : 3
  let most = arguments.count > 4 ? Int(arguments[4]) ?? .max : .max
  try run(arguments[0], arguments[1], arguments[2], runs: runs, most: most)
} else {
  print("usage: FenceBench make DIRECTORY | ENGINE FENCES UPDATES [RUNS [MOST]]")
  exit(2)
}
