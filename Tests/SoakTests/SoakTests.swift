import Testing

@testable import Soak

@Suite struct SoakTests {
  /// A day of what `Scripts/soak` lives through for a month.
  @Test(.timeLimit(.minutes(10)), arguments: [1] as [UInt64])
  func aDayLeavesNothingOpen(seed: UInt64) async {
    var run = SoakRun(days: 1, seed: seed)
    let report = await run.live()
    #expect(report.violations == [], "seed \(seed)")
  }
}
