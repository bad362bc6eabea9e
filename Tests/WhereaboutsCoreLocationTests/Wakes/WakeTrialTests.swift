import Foundation
import Testing
import WhereaboutsGeodesy
import WhereaboutsTesting

@testable import WhereaboutsCoreLocation

/// 5,000 fences on 20 regions, on recorded tracks with known places.
///
/// A normal run takes ten minutes of one track. `WHEREABOUTS_LONG_TESTS=1` takes six whole tracks, and prints a table.
@Suite(.enabled(if: WakeTracks.exist, "needs ../shared/data beside the package")) struct WakeTrialTests {
  @Test(arguments: WakeTracks.names, SimulatedWatching.Lateness.allCases)
  func fencesAreNoticed(track: String, lateness: SimulatedWatching.Lateness) throws {
    let trial = try WakeTrial(WakeTracks.read(track), seed: 7)
    let report = try trial.run(lateness)
    WakeTracks.print(report, track, "\(lateness)")
    #expect(report.falseEvents == [])
    #expect(report.greatestCount <= 20)
    #expect(report.launches > 1 && report.launchesWithFix > 0)
    #expect(report.lostCrossings == [])
    #expect(report.missed.isEmpty || lateness == .badDay, "\(report.missed)")
    #expect(report.datedStays == report.reportedStays, "\(report.misdated)")
  }

  @Test(arguments: WakeTracks.names) func significantChangesAloneMakeNoFalseEvent(track: String) throws {
    let trial = try WakeTrial(WakeTracks.read(track), seed: 7)
    let report = try trial.run(.documented, foreignCount: 20)
    WakeTracks.print(report, track, "no region left")
    #expect(report.falseEvents == [])
    #expect(report.wrongSides == [])
    #expect(report.greatestCount <= 20 && report.registrations == 0)
  }
}

/// Tracks with known places, one a second.
enum WakeTracks {
  static let isLong = PropertyCases.runsAll
  static let names =
    isLong
    ? ["drive-1", "drive-2", "highway-1", "highway-2", "walk-1", "walk-2"] : ["drive-1"]

  private static let folder: URL = {
    if let given = ProcessInfo.processInfo.environment["WHEREABOUTS_DATA"] { return URL(filePath: given) }
    return URL(filePath: #filePath).appending(path: "../../../../../shared/data").standardized
  }()

  static var exist: Bool { (try? read("drive-1")) != nil }

  static func read(_ name: String) throws -> [Coordinate] {
    let text = try String(contentsOf: folder.appending(path: "synth/\(name).truth.csv"), encoding: .utf8)
    return text.split(separator: "\n").dropFirst().prefix(isLong ? .max : 600).compactMap { line in
      let fields = line.split(separator: ",")
      guard fields.count > 2, let latitude = Double(fields[1]), let longitude = Double(fields[2]) else {
        return nil
      }
      return Coordinate(latitude: latitude, longitude: longitude)
    }
  }

  static func print(_ report: WakeTrial.Report, _ track: String, _ profile: String) {
    guard isLong else { return }
    let hours = report.duration / 3600
    let delay = report.medianDelay.map { "\(Int($0)) s" } ?? "-"
    Swift.print(
      "| \(track) | \(profile) | \(report.reportedStays)/\(report.stays) | \(report.datedStays)",
      "| \(report.reportedNoticeableStays)/\(report.noticeableStays)",
      "| \(report.reportedWatchedStays)/\(report.watchedStays)",
      "| \(report.staysAlwaysOn) | \(report.reportedPasses)/\(report.passes)",
      "| \(delay) | \(Int(report.longestWrong)) s | \(report.wrongSides.count)/\(report.checkedSides)",
      "| \(report.falseEvents.count) | \(report.greatestCount)",
      "| \(report.lostCrossings.count) | \(Int(report.receiverSeconds)) s of \(Int(report.duration)) s",
      "| \(report.launches) (\(Int(Double(report.launches) / hours))/h)",
      "| \(Int(Double(report.registrations) / hours))/h |", separator: " ")
  }
}
