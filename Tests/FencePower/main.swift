// The saving of receiver time by the distance to fences: recordings are replayed with a receiver that is on only as the
// demand asks, with and without saving, with fences beside their tracks and on them.
//
// usage: FencePower [each]               each: a line for every recording too
//        FencePower rest [HOURS [SEED]]  false events of a phone at rest, and the delay of true exits, by interval
//        FencePower receiver [HOURS [SEED]]  time on of a receiver at rest in a fence, and the delay of the exit, by
//                                            responsiveness
//        FencePower drives [DRIVES [SEED]]  wrong, missing and late events of drives that stop or turn at a fence
//        FencePower stays [DAYS [SEED]]  wrong, missing and late events of phones that give a fix seldom
//
// Recordings are in WHEREABOUTS_DATA, or ../shared/data beside the package.

import EngineTestSupport
import Foundation
import WhereaboutsEngine
import WhereaboutsModel

/// The results of one or several recordings.
struct Outcome {
  var seconds = 0.0
  var secondsOnWithout = 0.0, secondsOnWith = 0.0
  var fixesWithout = 0, fixesWith = 0
  var events = 0, missed = 0, extra = 0
  var longestDelay = 0.0

  static func += (left: inout Outcome, right: Outcome) {
    left.seconds += right.seconds
    left.secondsOnWithout += right.secondsOnWithout
    left.secondsOnWith += right.secondsOnWith
    left.fixesWithout += right.fixesWithout
    left.fixesWith += right.fixesWith
    left.events += right.events
    left.missed += right.missed
    left.extra += right.extra
    left.longestDelay = max(left.longestDelay, right.longestDelay)
  }

  var line: String {
    func ratio(_ one: Double, _ other: Double) -> String {
      other > 0 ? String(format: "%.1f×", one / other) : "-"
    }
    return String(
      format: "%9.0f %9.0f %9.0f %8@ %9d %9d %8@ %7d %7d %6d %8.1f", seconds, secondsOnWithout, secondsOnWith,
      ratio(secondsOnWithout, secondsOnWith), fixesWithout, fixesWith,
      ratio(Double(fixesWithout), Double(fixesWith)),
      events, missed, extra, longestDelay)
  }

  static let header =
    "  seconds  on plain  on saved    ratio     plain     saved    ratio  events  missed  extra  latest s"
}

func simulate(_ recording: Recording, _ fences: [Fence], savingPower: Bool) -> SimulatedReceiver {
  var settings = EngineSettings()
  settings.fences.savesPower = savingPower
  var receiver = SimulatedReceiver(settings)
  if let first = recording.fixes.first?.time { receiver.advance(to: first) }
  receiver.sendInput(.fences(.add(fences)))
  receiver.run(through: recording.fixes)
  return receiver
}

/// Events of the same kind at the same fence within half a minute are the same.
func compare(_ recording: Recording, _ fences: [Fence]) -> Outcome {
  let plain = simulate(recording, fences, savingPower: false)
  let saved = simulate(recording, fences, savingPower: true)
  var outcome = Outcome()
  outcome.seconds = recording.seconds
  outcome.secondsOnWithout = plain.secondsOn
  outcome.secondsOnWith = saved.secondsOn
  outcome.fixesWithout = plain.deliveredCount
  outcome.fixesWith = saved.deliveredCount
  outcome.events = plain.events.count
  var left = saved.events
  for event in plain.events {
    let match = left.firstIndex {
      $0.fence == event.fence && $0.kind == event.kind
        && abs($0.time.seconds(since: event.time)) <= 30
    }
    guard let match else {
      outcome.missed += 1
      continue
    }
    outcome.longestDelay = max(
      outcome.longestDelay, left.remove(at: match).decided.seconds(since: event.decided))
  }
  outcome.extra = left.count
  return outcome
}

func dataFolder() -> URL {
  if let path = ProcessInfo.processInfo.environment["WHEREABOUTS_DATA"] { return URL(fileURLWithPath: path) }
  var package = URL(fileURLWithPath: #filePath)
  for _ in 0..<3 { package.deleteLastPathComponent() }
  return package.deletingLastPathComponent().appendingPathComponent("shared/data")
}

func padded(_ text: String, to width: Int) -> String {
  text + String(repeating: " ", count: max(0, width - text.count))
}

let arguments = Array(CommandLine.arguments.dropFirst())
if arguments.first == "rest" {
  let numbers = arguments.dropFirst().map { Double($0) ?? 0 }
  printRest(hours: numbers.first ?? 1000, seed: UInt64(numbers.dropFirst().first ?? 1))
  exit(0)
}
if arguments.first == "receiver" {
  let numbers = arguments.dropFirst().map { Double($0) ?? 0 }
  printReceiver(hours: numbers.first ?? 2, seed: UInt64(numbers.dropFirst().first ?? 1))
  exit(0)
}
if arguments.first == "drives" {
  let numbers = arguments.dropFirst().map { Double($0) ?? 0 }
  printDrives(Int(numbers.first ?? 500), seed: UInt64(numbers.dropFirst().first ?? 1))
  exit(0)
}
if arguments.first == "stays" {
  let numbers = arguments.dropFirst().map { Double($0) ?? 0 }
  printStays(days: Int(numbers.first ?? 30), seed: UInt64(numbers.dropFirst().first ?? 1))
  exit(0)
}

do {
  let recordings = try Recording.all(in: dataFolder())
  let printsEach = arguments.contains("each")
  print(padded("", to: 34) + Outcome.header)
  for (placing, place) in [("beside", PlacedFences.beside), ("ahead", PlacedFences.ahead)] {
    for distance in [200.0, 1000, 5000, 20000] {
      for (group, _) in Recording.groups {
        var all = Outcome()
        for recording in recordings where recording.group == group {
          let fences = place(recording.fixes, distance)
          guard !fences.isEmpty else { continue }
          let outcome = compare(recording, fences)
          all += outcome
          if printsEach || outcome.missed > 0 { print(padded("  \(recording.name)", to: 34) + outcome.line) }
        }
        guard all.seconds > 0 else { continue }
        print(padded("\(group), \(placing) \(Int(distance)) m", to: 34) + all.line)
      }
    }
  }
} catch {
  FileHandle.standardError.write(Data("FencePower: \(error)\n".utf8))
  exit(1)
}
