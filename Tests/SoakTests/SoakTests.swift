import Testing

@testable import Soak

@Suite struct SoakTests {
  /// A day of what `Scripts/soak` lives through for a month.
  @Test(arguments: [1] as [UInt64])
  func dayRunLeavesNothingOpen(seed: UInt64) async {
    var run = SoakRun(days: 1, seed: seed)
    let report = await run.run()
    #expect(report.violations == [], "seed \(seed)")
  }

  @Test func growingMemoryFailsTheRun() {
    var report = SoakReport()
    report.memory = (0..<30).map { 36_000_000 + $0 * 300_000 }
    #expect(report.failures.count == 1 && report.failures.first?.contains("memory grew by 2929 KiB") == true)
  }

  @Test func varyingMemoryPasses() {
    var report = SoakReport()
    report.memory = (0..<30).map { 36_000_000 + $0 % 3 * 1_500_000 }
    #expect(report.failures.isEmpty)
    report.memory = [1_000_000, 90_000_000]
    #expect(report.failures.isEmpty, "two days are too short to judge growth")
  }
}
