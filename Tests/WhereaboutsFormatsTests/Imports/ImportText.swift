import Testing
import WhereaboutsGeodesy
import WhereaboutsModel
import WhereaboutsTesting

@testable import WhereaboutsFormats

/// A recording in memory, read by the format that its content has.
struct ImportText {
  let format: RecordingFormat?
  let batch: RecordingBatch

  /// - Parameter format: the format; `nil` for the one that the content has.
  init(_ bytes: [UInt8], as known: RecordingFormat? = nil) {
    format = known ?? RecordingFormat.detect(bytes)
    var decoder = (format ?? .csv).makeDecoder()
    batch = decoder.decodeAll(bytes)
  }

  init(_ text: String, as format: RecordingFormat? = nil) { self.init(Array(text.utf8), as: format) }

  var fixes: [Fix] { batch.fixes }
  var visits: [RecordedVisit] {
    batch.elements.compactMap { if case .visit(let visit) = $0 { visit } else { nil } }
  }
  var devices: [String] {
    batch.elements.compactMap { if case .deviceBegan(let name) = $0 { name } else { nil } }
  }
  /// The fixes as `time lat lon`, for comparison with what a table says.
  var rows: [String] {
    fixes.map { "\($0.time?.iso8601 ?? "-") \($0.coordinate.latitude) \($0.coordinate.longitude)" }
  }
  var problems: [String] { batch.problems.samples.map { "\($0.line) \($0.detail)" } }
}

/// Expects that damaged recordings are read without a crash, the same for any chunks, with sound values.
func expectSoundWhenDamaged(
  _ bytes: [UInt8], seed: UInt64, rounds: Int = 40, by makeDecoder: () -> some RecordingDecoder
) {
  var random = SeededGenerator(seed: seed)
  for _ in 0..<rounds {
    let damaged = random.mutated(bytes)
    expectSameResultForAnyChunking(damaged, seed: seed, splits: 2, by: makeDecoder)
    var decoder = makeDecoder()
    for fix in decoder.decodeAll(damaged).fixes {
      #expect((fix.horizontalAccuracy ?? 0) >= 0 && (fix.speed ?? 0) >= 0)
      #expect((0..<360).contains(fix.course ?? 0))
    }
  }
}
