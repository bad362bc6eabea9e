import Testing
import WhereaboutsModel

/// The error of the odometer on tracks that were measured by other means.
///
/// The limits are what is promised, not what was reached last.
@Suite(
  .enabled(if: SharedData.has("truth/reference.tsv"), "the recordings are not beside the package"))
struct KnownDistanceTests {
  private struct MeasuredTrack {
    let track: KnownDistance
    let totals: TrackTotals

    /// In percent of the reference.
    var error: Double { 100 * (totals.distance - track.reference).magnitude / track.reference }
    /// In metres an hour.
    var drift: Double { totals.distance / track.span * 3600 }
    /// Whether the reference lies within two stated deviations.
    var isBounded: Bool { (totals.distance - track.reference).magnitude <= 2 * totals.uncertainty }
  }

  private static let measured = Result {
    try KnownDistance.all.map { MeasuredTrack(track: $0, totals: try $0.totals()) }
  }

  private func mean(_ grade: String, _ value: (MeasuredTrack) -> Double, of name: String = "") throws
    -> Double
  {
    let values = try Self.measured.get().filter { $0.track.grade == grade && $0.track.name.hasPrefix(name) }
    try #require(!values.isEmpty)
    return values.map(value).reduce(0, +) / Double(values.count)
  }

  @Test(arguments: [("A", 0.30), ("B", 0.30), ("C", 1.0), ("G", 3.0)])
  func meanErrorIsWithinTheLimit(grade: String, limit: Double) throws {
    let error = try mean(grade, \.error)
    #expect(error <= limit, "class \(grade): \(error) %")
  }

  @Test(arguments: [("static", 2.0), ("still-", 60), ("stillindoor-", 100)])
  func driftAtRestIsWithinTheLimit(name: String, limit: Double) throws {
    let drift = try mean("S", \.drift, of: name)
    #expect(drift <= limit, "\(name): \(drift) m/h")
  }

  @Test func trueLengthIsWithinTwoStandardDeviations() throws {
    let tracks = try Self.measured.get().filter { $0.track.grade != "X" && $0.track.grade != "SX" }
    let bounded = tracks.filter(\.isBounded).count
    #expect(Double(bounded) >= 0.9 * Double(tracks.count), "\(bounded) of \(tracks.count)")
  }
}
