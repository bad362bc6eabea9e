import Testing
import Whereabouts
import WhereaboutsFormats
import WhereaboutsSources
import WhereaboutsTesting

/// A recording whose receiver was silent for long, played to a tracker that has a silent source stopped and started.
@Suite struct ReplayRestartTests {
  /// Ten minutes with a fix each second, and a minute without in the middle of each.
  static let fixes = (0..<600).filter { !(20..<50).contains($0 % 60) }.map { second in
    Fix.test(
      latitude: 47 + Double(second) * 9e-5, longitude: 8, accuracy: 4,
      time: UTCTime(nanosecondsSince1970: 1_717_243_200_000_000_000).advanced(by: .seconds(second)))
  }

  @Test(arguments: [ReplaySpeed.asFastAsPossible, .times(1e6)])
  func restartLosesNoRecordedFix(speed: ReplaySpeed) async throws {
    let source = ReplaySource(speed: speed, longestPause: .milliseconds(1)) {
      InMemoryRecording(Self.fixes.map { .fix($0) })
    }
    let manager = LocationManager(source: source, startsSource: false)
    let decisions = manager.decisions()
    let stream = manager.fixes(.room, keeping: .waiting(upTo: 10))
    let tracker = manager.tracker()
    try await tracker.start()
    manager.startSource()
    var received: [Fix] = []
    for await fix in stream { received.append(fix) }
    #expect(received.compactMap(\.time) == Self.fixes.compactMap(\.time))
    let totals = await tracker.totals
    #expect(totals.elapsed == 599, "\(totals)")
    #expect(totals.gaps == 10 && abs(totals.distance - 5993) < 2 * totals.uncertainty, "\(totals)")
    var restarts = 0
    for await entry in decisions {
      if case .sourceRestarted = entry.decision { restarts += 1 }
      if case .sourceChanged(_, to: .ended) = entry.decision { break }
    }
    // After 10 s and after 30 s of the 31 s between two fixes.
    #expect(restarts == 20)
  }
}
