import Testing
import Whereabouts
import WhereaboutsFormats
import WhereaboutsSources
import WhereaboutsTesting

/// The code of "Test code that uses location".
@Suite struct TestingExamples {
  /// The tested part of an app.
  struct TramAlarm {
    let manager: LocationManager

    func isWalkingDistance(to stop: Coordinate) async -> Bool? {
      guard let answer = try? await manager.fix(.block, timeout: .seconds(10)) else { return nil }
      return answer.fix.coordinate.distance(to: stop) < 400
    }

    func wakeUp(near stop: Coordinate) async -> Bool {
      for await fix in manager.fixes(.house, keeping: .waiting(upTo: 8))
      where fix.coordinate.distance(to: stop) < 300 {
        return true
      }
      return false
    }
  }

  private let stop = Fix.marienplatz(accuracy: 0).coordinate

  // MARK: Say what happens

  @Test func anAnswerThatComesInTime() async {
    let source = ScriptedSource()
    let manager = LocationManager(source: source, clock: StepClock().managerClock)

    async let isNear = TramAlarm(manager: manager).isWalkingDistance(to: stop)
    _ = await source.demand { $0 != .off }
    await source.emit(.test(latitude: 48.1391, longitude: 11.5802, accuracy: 20, time: nil))

    #expect(await isNear == true)
    #expect(await source.demand { $0 == .off } == .off)
  }

  // MARK: Let time pass

  @Test func noAnswerInTime() async {
    let source = ScriptedSource()
    let clock = StepClock()
    let manager = LocationManager(source: source, clock: clock.managerClock)

    async let isNear = TramAlarm(manager: manager).isWalkingDistance(to: stop)
    _ = await clock.nextDeadline()
    await source.emit(.test(latitude: 48.1391, longitude: 11.5802, accuracy: 900, time: nil))
    await clock.advance(by: .seconds(10))

    #expect(await isNear == nil)
  }

  @Test func theReceiverIsOffAfterEveryDeadline() async {
    let source = ScriptedSource()
    let clock = StepClock()
    let manager = LocationManager(source: source, clock: clock.managerClock)

    let first = manager.request(.block, timeout: .seconds(10))
    let second = manager.request(.block, timeout: .seconds(20))
    _ = await clock.nextDeadline()
    await clock.advance(by: .seconds(100))
    await manager.waitUntilProcessed()

    #expect(await source.demands.last == .off)
    #expect(await first.outcome == .timedOut(best: nil))
    #expect(await second.outcome == .timedOut(best: nil))
  }

  @Test func permissionDenied() async {
    let source = ScriptedSource(authorizationNeeds: .userConsent(requestable: [.whenInUse]))
    let manager = LocationManager(source: source, clock: StepClock().managerClock)

    async let isNear = TramAlarm(manager: manager).isWalkingDistance(to: stop)
    #expect(await source.authorizationRequest() == .whenInUse)
    await source.emit(Authorization(.denied))

    #expect(await isNear == nil)
  }

  // MARK: Tracks of which the truth is known

  @Test(arguments: 1...20) func theAlarmRingsNearTheStop(seed: UInt64) async throws {
    let start = try #require(stop.destination(azimuth: 270, distance: 2000))
    let noon = try #require(UTCTime(iso8601: "2024-06-01T12:00:00Z"))
    var ride = TrackBuilder(from: start, at: noon)
    ride.rest(for: .seconds(30))
    ride.move(azimuth: 90, distance: 2000, speed: 8)
    let fixes = ride.fixes(every: .seconds(1), noise: .cityPhone, seed: seed)

    let source = ReplaySource(fixes.map { .fix($0) })
    let manager = LocationManager(source: source)

    #expect(await TramAlarm(manager: manager).wakeUp(near: stop))
  }

  // MARK: Shapes

  @Test func shapeHasAFixEachSecond() {
    let home = stop, noon = UTCTime.noon
    let track = TrackShape.circle.track(at: .bicycle, from: home, beginning: noon, heading: 30)
    let fixes = track.fixes(every: .seconds(1), noise: .wandering, seed: 1)

    #expect(fixes.count > 900)
  }

  // MARK: Recordings

  private let path = """
    \(#filePath.split(separator: "/").dropLast(3).reduce("") { $0 + "/" + $1 })/Samples/city-drive.nmea
    """

  @Test func theAlarmIsSilentWhereTheRecordingDoesNotGo() async {
    let source = ReplaySource(path: path, speed: .asFastAsPossible)
    let manager = LocationManager(source: source)

    #expect(await TramAlarm(manager: manager).wakeUp(near: stop) == false)
    #expect(await manager.fixCounts().refused.isEmpty)
  }
}
