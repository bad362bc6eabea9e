import Testing

@testable import WhereaboutsReports

@Suite struct FenceStatisticsTextTests {
  @Test func countsOfFixesStateWhatIsCounted() {
    #expect(
      FenceStatisticsText.unused(1, .doubted) == "1 fix held until the next one: possibly an outlier")
    #expect(FenceStatisticsText.unused(2, .tooCoarse) == "2 runs of fixes not looked at: too coarse")
    #expect(FenceStatisticsText.unused(3, .tooLate) == "3 fixes not looked at: too late")
  }
}
