import ArgumentParser
import Foundation
import Testing
import Whereabouts
import WhereaboutsModel
import WhereaboutsGeodesy

@testable import WhereaboutsCLI
@testable import WhereaboutsOperations

/// The start of a recording: stored fences alone need fixes, before the command has subscribed.
@Suite struct SourceStartTests {
  private func store(_ folder: TemporaryFolder) async throws -> OpenStore {
    let store = try OpenStore.writing(
      try StoreOptions.parse(["--store", folder.path("store.sqlite")]).selection)
    let manager = LocationManager(source: SilentSource(), store: store.base)
    let center = try #require(Coordinate(latitude: 51.4779, longitude: -0.0065))
    try await manager.fences.add(
      Fence(id: "home", area: .circle(try Area.Circle(center: center, radius: 150))))
    _ = await manager.save()
    return store
  }

  @Test func recordingWaitsForSubscription() async throws {
    let folder = try TemporaryFolder()
    let store = try await store(folder)
    let options = try SourceOptions.parse(["--source", CommandRun.driveSource])
    let manager = try options.manager(keeping: RecordingResumer(store: store))
    #expect(await manager.fences.count == 1)
    // A source that starts too early delivers within this time, and fails the test. On a busy machine it may deliver later,
    // and then the test passes: it never fails for slowness.
    for _ in 0..<50 {
      try await Task.sleep(for: .milliseconds(10))
      #expect(await manager.fixCounts() == FixCounts())
    }
    let tracker = manager.tracker(TrackTerms(), startsAtOnce: true)
    manager.startSource()
    for await _ in tracker.updates {}
    #expect(await manager.fixCounts().accepted == 671)
    #expect(await tracker.totals.elapsed == 713)
    store.close()
  }
}

/// A source without a signal.
private struct SilentSource: LocationSource {
  func run(_ link: SourceLink) async { for await _ in link.demands {} }
}
