import Foundation
import Testing
import WhereaboutsTesting

/// A process that watches places and counts a way is killed again and again; `Scripts/durability kills` does it more often.
@Suite struct KillTests {
  @Test func fiftyKillsLoseAndRepeatNoDelivery() async throws {
    let run = try await Runner(["kills", "--count", "50", "--seed", "1"])
    #expect(run.succeeded, run.text)
    #expect(run.lines.contains { $0.hasPrefix("kills 50 ") && $0.contains("files whole 50") }, run.text)
  }

  /// An uploader; `Scripts/durability uploads` does it more often.
  @Test func killedUploaderLosesAndSkipsNothing() async throws {
    let run = try await Runner(["uploads", "--count", "6", "--seed", "1"])
    #expect(run.succeeded, run.text)
    #expect(run.lines.contains { $0.hasPrefix("upload kills 6 ") }, run.text)
  }

  @Test func missingUploadIsDetected() async throws {
    let run = try await Runner(["uploads", "--count", "2", "--seed", "2", "--drops", "yes"])
    #expect(run.lines.last == "violated" && run.lines.contains { $0.contains("lost: ") }, run.text)
  }

  /// Checks that the comparison detects a violation.
  @Test func missingAcknowledgementIsDetected() async throws {
    let run = try await Runner([
      "kills", "--count", "6", "--seed", "2", "--per-scenario", "6", "--forgets", "yes",
    ])
    #expect(
      run.lines.last == "violated" && run.lines.contains { $0.contains("although acknowledged") }, run.text)
  }

  @Test func killedErasureIsFinishedOnTheNextOpen() async throws {
    let run = try await Runner(["erase", "--count", "20", "--seed", "1"])
    #expect(run.succeeded, run.text)
    #expect(run.lines.contains { $0.hasPrefix("kills 20, ") }, run.text)
  }
}

/// The server is killed while phones send and a program reads; `Scripts/durability server` does it more often.
@Suite struct ServerKillTests {
  private static let kills = PropertyCases.runsAll ? 200 : 6

  @Test func killedServerLosesNothingAcknowledged() async throws {
    let run = try await Runner(["server", "--count", "\(Self.kills)", "--seed", "1"])
    #expect(run.succeeded, run.text)
    #expect(run.lines.contains { $0.hasPrefix("server kills \(Self.kills), ") }, run.text)
  }
}

/// Every command that watches is killed again and again.
@Suite struct WatcherKillTests {
  /// 200 of each command in the long run.
  private static let kills = PropertyCases.runsAll ? 200 : 5

  @Test func killedWatchersResume() async throws {
    let samples = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appendingPathComponent("Samples")
    let run = try await Runner([
      "watchers", "--count", "\(Self.kills)", "--per-pass", "10", "--seed", "1",
      "--recording", samples.appendingPathComponent("city-drive.nmea").path,
      "--fences", samples.appendingPathComponent("places.geojson").path,
    ])
    #expect(run.succeeded, run.text)
    #expect(run.lines.count { $0.contains("violations 0") } == 3, run.text)
  }
}
