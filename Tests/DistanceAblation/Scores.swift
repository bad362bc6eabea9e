import WhereaboutsModel

/// The error of an odometer.
struct Scores {
  /// Mean absolute error in % by class and by profile, and metres per hour at rest.
  private var sums: [String: (sum: Double, count: Int)] = [:]
  private var withinBound = 0
  private var count = 0

  static let columns = [
    "A", "B", "C", "X", "G", "headline", "walk", "run", "drive", "highway", "tunnel", "indoor", "real",
    "outdoor",
    "indoors", "2 σ",
  ]

  init(_ recordings: [Recording], by variant: Variant) {
    for recording in recordings { add(variant.distance(of: recording.fixes), of: recording) }
  }

  private mutating func add(_ totals: TrackTotals, of recording: Recording) {
    let error = (totals.distance - recording.reference).magnitude
    count += 1
    if error <= 2 * totals.uncertainty { withinBound += 1 }
    if recording.reference > 0 {
      add(100 * error / recording.reference, to: recording.kind)
      if recording.kind == "G", let profile = recording.profile {
        add(100 * error / recording.reference, to: profile)
      }
    } else if recording.kind == "S" {
      let column = recording.profile.map { $0 == "stillindoor" ? "indoors" : "outdoor" } ?? "real"
      add(totals.distance / recording.span * 3600, to: column)
    }
  }

  private mutating func add(_ figure: Double, to column: String) {
    let before = sums[column] ?? (0, 0)
    sums[column] = (before.sum + figure, before.count + 1)
  }

  /// A column's figure; `nil` where no recording is of it.
  func figure(_ column: String) -> Double? {
    switch column {
    case "headline":
      let classes = ["A", "B", "G"].compactMap(figure)
      return classes.isEmpty ? nil : classes.reduce(0, +) / Double(classes.count)
    case "2 σ": return count == 0 ? nil : 100 * Double(withinBound) / Double(count)
    default: return sums[column].map { $0.sum / Double($0.count) }
    }
  }
}
