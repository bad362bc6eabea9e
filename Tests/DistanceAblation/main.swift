// The effect of each part of the odometer and of each of its numbers, on recordings with a known length.
//
// usage: DistanceAblation [lessened | shifted]    both of them if none is named
//
// Recordings are those that Scripts/compare-distance reads: in WHEREABOUTS_DATA, or ../shared/data beside the package.

import Foundation

func print(_ variants: [Variant], on recordings: [Recording]) {
  let width = variants.map(\.name.count).max() ?? 0
  let header = Scores.columns.map { padded($0, before: 9) }.joined()
  print(String(repeating: " ", count: width) + header)
  for variant in variants {
    let scores = Scores(recordings, by: variant)
    let figures = Scores.columns.map { padded(formatted(scores.figure($0)), before: 9) }.joined()
    print(variant.name + String(repeating: " ", count: width - variant.name.count) + figures)
  }
}

func padded(_ text: String, before width: Int) -> String {
  String(repeating: " ", count: max(1, width - text.count)) + text
}

func formatted(_ figure: Double?) -> String {
  guard let figure else { return "-" }
  return String(format: figure < 9.995 ? "%.2f" : figure < 99.95 ? "%.1f" : "%.0f", figure)
}

func dataFolder() -> URL {
  if let path = ProcessInfo.processInfo.environment["WHEREABOUTS_DATA"] { return URL(fileURLWithPath: path) }
  var package = URL(fileURLWithPath: #filePath)
  for _ in 0..<3 { package.deleteLastPathComponent() }
  return package.deletingLastPathComponent().appendingPathComponent("shared/data")
}

let tables = ["lessened": Variant.lessened, "shifted": Variant.shifted]
let asked =
  CommandLine.arguments.count > 1 ? Array(CommandLine.arguments.dropFirst()) : ["lessened", "shifted"]
do {
  let recordings = try Recording.all(in: dataFolder())
  for name in asked {
    guard let variants = tables[name] else {
      throw MissingRecordingsError(description: "there is no table '\(name)': lessened or shifted")
    }
    print(
      "\(name), \(recordings.count) recordings; mean error in %, metres per hour at rest, % of tracks within 2 σ"
    )
    print(variants, on: recordings)
  }
} catch {
  FileHandle.standardError.write(Data("DistanceAblation: \(error)\n".utf8))
  exit(1)
}
