import Testing
import Whereabouts
import WhereaboutsTesting

/// The origin of a manager's time: its clock for a live source, the source itself for a recorded one.
@Suite struct SourceTimingTests {
  /// A source that advances its own time on the first demand, and reports whether it drives the time.
  private struct TimeDrivingSource: LocationSource {
    let timing: SourceTiming
    let drives = AsyncStream.makeStream(of: Bool.self)

    func run(_ link: SourceLink) async {
      drives.continuation.yield(link.drivesTime)
      for await demand in link.demands where demand != .off {
        await link.advance(to: Moment(instant: Instant(.seconds(20)), wall: nil))
      }
    }

    func drivesTime() async -> Bool? {
      for await isDriving in drives.stream { return isDriving }
      return nil
    }
  }

  @Test func recordedSourceDrivesTheTime() async {
    let source = TimeDrivingSource(timing: .recorded), clock = StepClock()
    let manager = LocationManager(source: source, clock: clock.managerClock)
    let request = manager.request(.house, timeout: .seconds(10))
    #expect(await source.drivesTime() == true)
    #expect(await request.outcome == .timedOut(best: nil))
    #expect(await clock.sleepers == 0)
  }

  @Test func liveSourceCannotDriveTheTime() async {
    let source = TimeDrivingSource(timing: .live), clock = StepClock()
    let manager = LocationManager(source: source, clock: clock.managerClock)
    let request = manager.request(.house, timeout: .seconds(10))
    #expect(await source.drivesTime() == false)
    _ = await clock.nextDeadline()
    await clock.advance(by: .seconds(10))
    #expect(await request.outcome == .timedOut(best: nil))
  }

  /// A source that records each run. The record ends with the release of the source.
  private final class CountedSource: LocationSource {
    private let (runs, runsIn) = AsyncStream.makeStream(of: Void.self)

    deinit { runsIn.finish() }

    var started: AsyncStream<Void> { runs }

    func run(_ link: SourceLink) async {
      runsIn.yield()
      await link.send(.fix(.test(latitude: 47, longitude: 8, accuracy: 4, time: nil), age: .sinceArrival))
      for await _ in link.demands {}
    }
  }

  @Test func sourceWaitsForItsStart() async {
    let source = CountedSource(), clock = StepClock()
    let manager = LocationManager(source: source, clock: clock.managerClock, startsSource: false)
    let request = manager.request(.house, timeout: .seconds(10))
    await clock.advance(by: .seconds(9))
    await manager.waitUntilProcessed()
    #expect(await manager.fixCounts() == FixCounts())
    manager.startSource()
    manager.startSource()
    #expect(await request.outcome.answer?.fix.coordinate.latitude == 47)
  }

  @Test func managerReleasedBeforeTheStartNeverRunsItsSource() async {
    var source: CountedSource? = CountedSource()
    let started = source?.started
    if let source { _ = LocationManager(source: source, startsSource: false) }
    source = nil
    var runs = 0
    if let started { for await _ in started { runs += 1 } }
    #expect(runs == 0)
  }

  @Test func sourceTimingDefaultsToLive() {
    #expect(ScriptedSource().timing == .live)
  }
}
