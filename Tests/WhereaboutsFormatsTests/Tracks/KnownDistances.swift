import WhereaboutsEngine
import WhereaboutsModel
import WhereaboutsFormats

/// Tracks of which it is known how far they go.
struct KnownDistance: Sendable {
  let name: String
  /// A: survey-grade reference, B: wheel sensor, C: reference good to 1 or 2 %, G: made up, S: at rest, X: hard.
  let grade: String
  /// Metres.
  let reference: Double
  /// Seconds.
  let span: Double
  let path: String

  /// The distance of the odometer.
  func totals() throws -> TrackTotals {
    var odometer = Odometer()
    for fix in try fixes() { odometer.process(fix) { _ in } }
    odometer.endSegment { _ in }
    return odometer.totals
  }

  private func fixes() throws -> [Fix] {
    var decoder = CSVDecoder()
    var batch = RecordingBatch()
    try SharedData.bytes(path).withUnsafeBytes { decoder.decode($0, into: &batch) }
    decoder.finish(into: &batch)
    return batch.elements.compactMap { if case .fix(let fix) = $0 { fix } else { nil } }
  }

  /// All of them.
  static let all: [KnownDistance] = ["truth", "synth"].flatMap { folder in
    SharedData.table("\(folder)/reference.tsv").compactMap { row in
      guard let name = row["track"], let grade = row["class"],
        let reference = row["reference_m"].flatMap(Double.init),
        let span = row["span_s"].flatMap(Double.init)
      else { return nil }
      return KnownDistance(
        name: name, grade: grade, reference: reference, span: span, path: "\(folder)/\(name).csv")
    }
  }
}
