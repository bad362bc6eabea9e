import Testing
import WhereaboutsModel

@testable import WhereaboutsReports

@Suite struct ProgressLineTests {
  @Test func progressIsDelayedAndErasedOnlyIfShown() {
    var line = ProgressLine(total: 1000, start: .start)
    #expect(line.advance(to: 500, at: Instant(.milliseconds(999))) == nil)
    #expect(!line.isShown)
    let text = line.advance(to: 500_000, at: Instant(.seconds(1)))
    #expect(text == "100 %  0.5 MB/s  0 s left")
    #expect(line.advance(to: 500_001, at: Instant(.milliseconds(1050))) == nil)
    #expect(line.isShown)
  }

  @Test func progressOfUnknownTotalShowsBytesDone() {
    var line = ProgressLine(total: nil, start: .start)
    #expect(line.advance(to: 30_000_000, at: Instant(.seconds(2))) == "30.0 MB  15.0 MB/s")
  }

  @Test func progressOfAHistoryCountsFixes() {
    var line = ProgressLine(total: nil, of: .fixes, start: .start)
    #expect(
      line.advance(to: 300_000, at: Instant(.seconds(2))) == "300,000 fixes  150,000 fixes/s")
    var known = ProgressLine(total: 600_000, of: .fixes, start: .start)
    #expect(
      known.advance(to: 300_000, at: Instant(.seconds(2)))
        == "50 %  150,000 fixes/s  2 s left")
  }
}
