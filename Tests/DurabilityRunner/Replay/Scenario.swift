import Foundation
import Whereabouts
import WhereaboutsFormats
import WhereaboutsSources
import WhereaboutsTesting

/// A recorded track with fences on it, the same for the same seed.
struct Scenario {
  var elements: [RecordingElement]
  var fences: [Fence]

  /// Makes rounds around some blocks, with stops, a gap, outliers and late fixes.
  init(seed: UInt64, rounds: Int) throws {
    guard let home = Coordinate(latitude: 52.1, longitude: 5.3) else { throw RunnerError("no home") }
    var random = SeededGenerator(seed: seed)
    let start = UTCTime(nanosecondsSince1970: 1_717_243_200_000_000_000)
    var track = TrackBuilder(from: home, at: start), corners: [Coordinate] = []
    for round in 0..<rounds {
      for side in 0..<4 {
        if round == 0, let corner = track.truth(every: .seconds(1)).last?.coordinate {
          corners.append(corner)
        }
        if Int.random(in: 0..<4, using: &random) == 0 {
          track.rest(for: .seconds(Int.random(in: 10...60, using: &random)))
        }
        track.move(
          azimuth: Double(side) * 90, distance: 420, speed: Double.random(in: 8...14, using: &random))
      }
    }
    var noise = ReceiverNoise.cityPhone
    noise.deviation = 5
    let length = track.duration / .seconds(1), gap = Double.random(in: 0.2...0.8, using: &random) * length
    noise.gaps = [.seconds(gap) ..< .seconds(gap + 100)]
    var fixes = track.fixes(every: .seconds(1), noise: noise, seed: seed)
    for place in stride(from: 40, to: fixes.count - 4, by: 97) { fixes.swapAt(place, place + 3) }
    elements = fixes.map { .fix($0) }
    fences = try Self.fences(at: corners, ending: start.advanced(by: .seconds(length / 2)))
  }

  /// Reads a recording from a file, with fences at places along it.
  init(recording path: String, seed: UInt64) throws {
    var file = try RecordingFile(path: path), all: [RecordingElement] = [], some: [RecordingElement] = []
    while try file.read(into: &some) { all += some }
    elements = all
    var random = SeededGenerator(seed: seed)
    let fixes = all.compactMap { if case .fix(let fix) = $0 { fix } else { nil } }
    let corners = (0..<6).compactMap { _ in fixes.randomElement(using: &random)?.coordinate }
    let middle = fixes.isEmpty ? nil : fixes[fixes.count / 2].time
    fences = try Self.fences(at: corners, ending: middle ?? UTCTime(nanosecondsSince1970: 0))
  }

  /// Makes a permanent fence at each place, and another of a varying kind.
  private static func fences(at places: [Coordinate], ending: UTCTime) throws -> [Fence] {
    var fences: [Fence] = []
    let kinds = [
      FenceTerms(dwell: .seconds(8)), FenceTerms(notify: [.exit], once: true),
      FenceTerms(enterDwell: .seconds(5), responsiveness: .seconds(10)),
      FenceTerms(reportsInitialSide: true, expiry: ending), FenceTerms(notify: [.enter], once: true),
      FenceTerms(exitDwell: .seconds(15), dwell: .seconds(5), notify: [.dwell], once: true),
    ]
    for (place, center) in places.enumerated() {
      let circle = try Area.Circle(center: center, radius: 80 + Double(place) * 7)
      fences.append(Fence(id: FenceID("corner \(place)"), area: .circle(circle)))
      let wide = try Area.Circle(center: center, radius: 120 + Double(place) * 5)
      fences.append(
        Fence(id: FenceID("special \(place)"), area: .circle(wide), terms: kinds[place % kinds.count]))
    }
    return fences
  }

  /// Returns the elements after the last fix in a set; all elements if none is in the set.
  func elements(after taken: Set<Fix>) -> ArraySlice<RecordingElement> {
    let last = elements.lastIndex {
      // A recording's fixes are marked as such when they are played.
      guard case .fix(var fix) = $0 else { return false }
      fix.isSimulated = true
      return taken.contains(fix)
    }
    return last.map { elements[($0 + 1)...] } ?? elements[...]
  }

  /// The number of fixes.
  var fixCount: Int { elements.count { if case .fix = $0 { true } else { false } } }
}
