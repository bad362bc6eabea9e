import Foundation
import Testing
import Whereabouts
import WhereaboutsSources
import WhereaboutsStore
import WhereaboutsTesting
import WhereaboutsUpload

/// The code of the README, and of doc comments.
@Suite struct ReadmeExamples {
  private let drive = """
    \(#filePath.split(separator: "/").dropLast(3).reduce("") { $0 + "/" + $1 })/Samples/city-drive.nmea
    """

  @Test func currentPosition() async throws {
    let path = drive

    let source = ReplaySource(path: path, speed: .times(1000))
    let manager = LocationManager(source: source)

    let answer = try await manager.fix(.house, timeout: .seconds(30))
    print(answer.fix.coordinate, answer.age)

    #expect(answer.level == .house)
    #expect(try #require(answer.fix.horizontalAccuracy) <= 15)
    #expect(answer.age == .zero)
  }

  @Test func requestObject() async throws {
    let manager = LocationManager(
      source: ReplaySource(path: drive, speed: .asFastAsPossible))
    var isShown = false
    func show(_ answer: Answer, isCertain: Bool) { isShown = !isCertain }

    let request = manager.request(.room, timeout: .seconds(10), settlingAfter: .seconds(3))
    switch await request.outcome {
    case .reached(let answer), .settled(let answer): show(answer, isCertain: true)
    case .timedOut(let best?), .completedEarly(let best?): show(best, isCertain: false)
    case .unauthorized(let authorization): print(authorization.remedy ?? "not allowed")
    default: break
    }

    #expect(isShown, "the sample begins with poor fixes that get better")
  }

  @Test func fixStream() async throws {
    let manager = LocationManager(
      source: ReplaySource(path: drive, speed: .asFastAsPossible))
    var track: [Coordinate] = []

    for await fix in manager.fixes(.block, distanceFilter: 10, keeping: .all(upTo: 1000)) {
      track.append(fix.coordinate)
    }

    #expect(track.count > 100)
  }

  @Test func fenceEvents() async throws {
    let manager = LocationManager(
      source: ReplaySource(path: drive, speed: .asFastAsPossible))
    let center = try #require(Coordinate(latitude: 51.4779, longitude: -0.0065))
    let lastSeen: FenceEvent.ID? = nil

    let home = Fence(id: "home", area: .circle(try Area.Circle(center: center, radius: 150)))
    try await manager.fences.add(home)
    for await event in manager.fences.updates(after: lastSeen).compactMap(\.event) {
      print(event.fence, event.kind, event.time, event.timeUncertainty, event.confidence)
    }

    var count = 0
    for await _ in manager.fences.updates().compactMap(\.event) { count += 1 }
    #expect(count == 1, "the sample begins there and drives away")
  }

  @Test func restartWithStore() async throws {
    let file = "\(FileManager.default.temporaryDirectory.path)/whereabouts-\(UUID()).sqlite"
    defer {
      for end in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: file + end) }
    }
    let source = ReplaySource(path: drive, speed: .asFastAsPossible)
    let date = "2024-05-14"

    let store = try SQLiteStore.open(at: file)
    let manager = LocationManager(source: source, store: store)
    let trip = TripID("to work, \(date)")
    let tracker = manager.tracker(TrackTerms(activity: .car, trip: trip), startsAtOnce: true)

    for await update in manager.fences.updates(for: "notifier") {
      print(update)
      if let number = update.number {
        try await manager.fences.acknowledge(through: number, by: "notifier")
      }
    }

    #expect(await tracker.totals.distance > 6000)
    #expect(await manager.save() == .working)
    #expect(try store.trips(of: .this).map(\.id) == ["to work, 2024-05-14"])

    let uploader = Uploader(store: store)
    let sending = Task { await uploader.run() }
    sending.cancel()
    _ = await sending.value
  }

  @Test func tripDistance() async throws {
    let manager = LocationManager(
      source: ReplaySource(path: drive, speed: .times(200)))

    let tracker = manager.tracker(.car)
    try await tracker.start()
    for await update in tracker.updates {
      print(update.liveDistance, update.totals.uncertainty, update.motion, update.signal)
    }

    // The recording plays from the tracker's creation on, and a busy machine may start it late.
    #expect(await tracker.totals.distance > 1000)
  }

  @Test func trackWithKnownTruth() {
    let home = Fix.marienplatz(accuracy: 0).coordinate
    let noon = UTCTime.noon

    var track = TrackBuilder(from: home, at: noon)
    track.rest(for: .seconds(60))
    track.move(azimuth: 90, distance: 400, speed: 1.4)
    track.move(azimuth: 0, distance: 250, speed: 1.4)
    let fixes = track.fixes(every: .seconds(1), noise: .goodReceiver, seed: 1)

    #expect(fixes.count == 60 + Int(650 / 1.4) + 1)
  }
}

/// Discards the output of the examples.
private func print(_ items: Any..., separator: String = " ", terminator: String = "\n") {}
