#if APPLE_IOS
  @_spi(Simulation) import CoreLocation
  import Foundation
  import Testing

  /// A manager over Core Location and a store in a file, whose app is killed with every wake of a day.
  ///
  /// `WHEREABOUTS_LONG_TESTS=1` takes more days, and 5,000 fences on recorded tracks, and prints a table.
  @Suite(.serialized, .timeLimit(.minutes(60))) struct KillTests {
    private static let isLong = ProcessInfo.processInfo.environment["WHEREABOUTS_LONG_TESTS"] != nil
    private static let seeds = Array(1...(isLong ? 20 : 1) as ClosedRange<UInt64>)
    private static let lateness = [SimulatedDevice.Lateness.documented, .badDay]
    private static let tracks =
      isLong ? ["drive-1", "drive-2", "highway-1", "highway-2", "walk-1", "walk-2"].filter(TestDay.has) : []

    @Test(arguments: seeds, lateness)
    func killsAfterWakesLoseAndRepeatNoCrossing(seed: UInt64, lateness: SimulatedDevice.Lateness)
      async throws
    {
      let day = try TestDay.random(seed: seed, stops: 8, fenceCount: 50)
      let report = try await KillTrial.run(day, lateness, .afterWake, seed: seed)
      expectNothingWrong(report, day, lateness)
      #expect(report.launches >= 10 && report.stays >= 20)
      #expect(report.missedStays == [] && report.reportedStays == report.stays)
      #expect(report.lostCrossings == [] && report.wrongSides == [])
    }

    /// A killed wake may leave a crossing for the next one, which may come too late for a stay.
    @Test(arguments: seeds, lateness)
    func killsDuringWakesLoseNothingStored(seed: UInt64, lateness: SimulatedDevice.Lateness) async throws {
      let day = try TestDay.random(seed: seed, stops: 8, fenceCount: 50)
      let report = try await KillTrial.run(day, lateness, .duringWake, seed: seed)
      expectNothingWrong(report, day, lateness)
      #expect(report.launches >= 10 && report.reportedStays > 0)
    }

    /// In a crowd some stays have no region, so that they are counted only.
    @Test(arguments: tracks, lateness)
    func killsAfterWakesRepeatNoCrossingOfRecordedTracks(track: String, lateness: SimulatedDevice.Lateness)
      async throws
    {
      let day = try TestDay.recorded(track, fenceCount: 5000, seed: 7)
      let report = try await KillTrial.run(day, lateness, .afterWake, seed: 7)
      expectNothingWrong(report, day, lateness)
    }

    private func expectNothingWrong(
      _ report: KillTrial.Report, _ day: TestDay, _ lateness: SimulatedDevice.Lateness
    ) {
      if Self.isLong {
        print(
          "| \(day.name) | \(lateness) | \(report.reportedStays)/\(report.stays) | \(report.falseEvents.count)",
          "| \(report.wrongSides.count)/\(report.checkedSides) | \(report.greatestRegionCount)",
          "| \(report.lostCrossings.count) | \(report.launches), \(report.launchesWithFix) with fixes |")
      }
      #expect(report.errors == [] && report.violations == [] && report.unanswered == 0)
      #expect(report.falseEvents == [] && report.disorder == [])
      #expect(report.repetitions == [] && report.isReportedAsStored)
      #expect(report.unreportedSides == [])
      #expect(report.greatestRegionCount <= 20 && report.refusedRegions == [])
      #expect(report.renewedRegions == [])
    }
  }
#endif
