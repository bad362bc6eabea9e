import EngineTestSupport
import Testing
import WhereaboutsEngine
import WhereaboutsModel
import WhereaboutsGeodesy
import WhereaboutsTesting

/// Receiver usage for a fence with a device at rest inside, and the delay of the exit event.
@Suite struct FenceRestTests {
  private static let seconds = 2 * 3600

  /// The outcome of a rest: the share of time with the receiver on, and the detection of the exit.
  private struct Outcome {
    var share: Double
    var fixes: Int
    var events: [FenceEvent]
    /// The time of the crossing in seconds since the start.
    var crossing: Double
  }

  /// Rests in the centre for two hours, and then leaves on foot.
  private func simulate(radius: Double, responsiveness: Int = 0, seed: UInt64) -> Outcome {
    var noise = ReceiverNoise.cityPhone
    noise.deviation = 3
    noise.statedAccuracyFactor = 1
    noise.outlierShare = 0
    let rest = Self.seconds + Int(seed) * 17
    var track = FenceTestHarness.track(west: 0).addingRest(rest)
    track.move(azimuth: 30, distance: radius + 300 + Double(responsiveness), speed: 1.4)
    var receiver = SimulatedReceiver(warmUp: .seconds(2))
    receiver.advance(to: FenceTestHarness.start)
    let terms = FenceTerms(responsiveness: .seconds(responsiveness))
    receiver.sendInput(.fences(.add([FenceTestHarness.fence(radius: radius, terms: terms)])))
    let fixes = track.fixes(every: .seconds(1), noise: noise, seed: seed)
    receiver.run(through: Array(fixes.prefix(rest)))
    var outcome = Outcome(
      share: receiver.secondsOn / Double(rest), fixes: receiver.deliveredCount, events: [],
      crossing: Double(rest) + radius / 1.4)
    receiver.run(through: Array(fixes.dropFirst(rest)))
    outcome.events = receiver.events
    return outcome
  }

  @Test(arguments: [50.0, 150], 1...2 as ClosedRange<UInt64>)
  func receiverRestsInsideAFenceAndTheExitIsDetected(radius: Double, seed: UInt64) throws {
    let outcome = simulate(radius: radius, seed: seed)
    #expect(outcome.share < 0.05, "seed \(seed), \(radius) m: on for \(outcome.share)")
    #expect(outcome.fixes < 360, "seed \(seed): \(outcome.fixes) fixes")
    #expect(outcome.events.map(\.kind) == [.exit], "seed \(seed)")
    let exit = try #require(outcome.events.first)
    let late = FenceTestHarness.second(exit.decided) - outcome.crossing
    #expect(late < 60, "seed \(seed), \(radius) m: known \(late) s late")
  }

  @Test func longerResponsivenessLengthensTheRest() {
    let now = simulate(radius: 50, seed: 1)
    let later = simulate(radius: 50, responsiveness: 300, seed: 1)
    #expect(later.fixes < now.fixes && later.share < now.share)
    #expect(later.events.map(\.kind) == [.exit])
  }

  /// Returns a receiver after twenty minutes of a device at rest within its only fence.
  private static func receiverAtRest(_ change: (inout FenceSettings) -> Void) -> SimulatedReceiver {
    var settings = EngineSettings()
    change(&settings.fences)
    var receiver = SimulatedReceiver(settings)
    receiver.advance(to: FenceTestHarness.start)
    receiver.sendInput(.fences(.add([FenceTestHarness.fence()])))
    receiver.run(
      through: FenceTestHarness.track(west: 0).addingRest(1200).fixes(
        every: .seconds(1), noise: .goodReceiver, seed: 1)
    )
    return receiver
  }

  @Test func receiverStaysOnWithoutARestDelay() {
    #expect(Self.receiverAtRest { $0.delayAfterRest = .zero }.secondsOn > 1190)
  }

  @Test func negativeWarmUpCountsAsZero() {
    let usual = Self.receiverAtRest { $0.warmUp = .zero }
    let odd = Self.receiverAtRest { $0.warmUp = .seconds(-600) }
    #expect(odd.secondsOn == usual.secondsOn && odd.deliveredCount == usual.deliveredCount)
  }
}
