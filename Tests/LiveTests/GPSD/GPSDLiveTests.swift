import Foundation
import Testing
import Whereabouts
import WhereaboutsFormats
import WhereaboutsGeodesy

@testable import WhereaboutsSources

/// Tests with the real gpsd. `GPSD_ROUNDS=20` kills gpsd 20 times and requires recovery within two seconds.
@Suite(
  .serialized, .enabled(if: LiveGPSD.isInstalled, "gpsd and gpsdctl are not installed"))
struct GPSDLiveTests {
  private static let rounds = Int(ProcessInfo.processInfo.environment["GPSD_ROUNDS"] ?? "")
  private static let demand = Demand.continuous(Demand.Continuous(accuracy: 10))

  /// Feeds ten fixes a second until the task is cancelled.
  private static func startFeeding(_ feeder: DatagramFeeder) -> Task<Void, any Error> {
    Task {
      var number = 0
      while !Task.isCancelled {
        for sentence in SyntheticTrack.sentences(number) { feeder.send(sentence.utf8) }
        number += 1
        try await Task.sleep(for: .milliseconds(100))
      }
    }
  }

  @Test func restartedGPSDIsReconnectedEachTime() async throws {
    let gpsd = try LiveGPSD()
    let feeder = try await gpsd.feeder()
    let feeding = Self.startFeeding(feeder)
    var process = try await gpsd.start()
    let source = ObservedSource(GPSDSource(port: gpsd.port), Self.demand)
    var listening = SignalReader(source)
    _ = try #require(await listening.nextFix())
    var slowest = Duration.zero
    for _ in 0..<(Self.rounds ?? 3) {
      await process.end(with: SIGKILL)
      process = try await gpsd.start()
      let back = ContinuousClock.now
      var fix = try #require(await listening.nextFix())
      // A fix sent before the kill does not count as recovery.
      while fix.at < back { fix = try #require(await listening.nextFix()) }
      slowest = max(slowest, fix.at - back)
    }
    feeding.cancel()
    await source.cancel()
    await process.end(with: SIGKILL)
    await feeder.close()
    #expect(listening.unknownFixes == 0, "no fix is invented")
    #expect(
      zip(listening.numbers, listening.numbers.dropFirst()).allSatisfy { $0 < $1 }, "no fix is reported twice"
    )
    if let rounds = Self.rounds { #expect(slowest < .seconds(2), "gpsd was killed \(rounds) times") }
  }

  @Test func removedAndReattachedReceiverIsAGap() async throws {
    let gpsd = try LiveGPSD()
    let feeder = try await gpsd.feeder()
    let feeding = Self.startFeeding(feeder)
    let process = try await gpsd.start()
    let source = ObservedSource(GPSDSource(port: gpsd.port), Self.demand)
    var listening = SignalReader(source)
    _ = try #require(await listening.nextFix())
    for _ in 0..<2 {
      try await gpsd.control("remove")
      // On a busy machine the receiver may be silent before.
      while try #require(await listening.nextProblem()).code != .noReceiver {}
      try await gpsd.control("add")
      _ = try #require(await listening.nextFix())
      #expect(listening.hadGap)
    }
    feeding.cancel()
    await source.cancel()
    await process.end(with: SIGKILL)
    await feeder.close()
    #expect(listening.unknownFixes == 0)
    #expect(zip(listening.numbers, listening.numbers.dropFirst()).allSatisfy { $0 < $1 })
  }

  /// One capture of each kind of receiver.
  static let captures = ["gr8013-w", "ublox-neo-m9n-nmea", "bu353-glonass", "quectelLC79D", "garmin17n"]

  @Test(.enabled(if: LiveData.has("nmea"), "no captures beside the package"), arguments: captures)
  func fixesEqualThoseOfDirectDecoding(capture: String) async throws {
    let bytes = try LiveData.bytes("nmea/\(capture).log")
    let direct = LiveData.directFixes(bytes)
    let gpsd = try LiveGPSD()
    let process = try await gpsd.start()
    let feeder = try await gpsd.feeder()
    let source = ObservedSource(GPSDSource(port: gpsd.port), Self.demand)
    try await feeder.wait(for: process)
    let feeding = Task {
      for line in LiveData.sentences(bytes) {
        try await feeder.deliver(line)
        try await Task.sleep(for: .milliseconds(4))
      }
    }
    var received: [Fix] = []
    let reading = Task { () -> [Fix] in
      var fixes: [Fix] = []
      for await (signal, _) in source.signals {
        guard case .fix(let fix, _) = signal else { continue }
        fixes.append(fix)
      }
      return fixes
    }
    _ = try await feeding.value
    // Waits for the last fixes.
    try await Task.sleep(for: .milliseconds(500))
    await source.cancel()
    received = await reading.value
    await process.end(with: SIGKILL)
    await feeder.close()
    let comparison = LiveData.compare(received, with: direct)
    #expect(
      comparison.differences.isEmpty,
      "\(capture): \(received.count) received, \(direct.count) direct, \(comparison.differences)")
    #expect(comparison.unknown == 0)
  }
}

/// Reads the signals of a source.
private struct SignalReader {
  private var signals: AsyncStream<(signal: SourceSignal, at: ContinuousClock.Instant)>.Iterator
  private(set) var numbers: [Int] = []
  /// The number of fixes that were never sent.
  private(set) var unknownFixes = 0
  /// Whether the last fix followed a gap.
  private(set) var hadGap = false

  init(_ source: ObservedSource) { signals = source.signals.makeAsyncIterator() }

  mutating func nextFix() async -> (number: Int, at: ContinuousClock.Instant)? {
    hadGap = false
    while let (signal, at) = await signals.next() {
      if case .segmentBegan = signal { hadGap = true }
      guard case .fix(let fix, _) = signal else { continue }
      recordFix(fix)
      if fix.time != nil, let last = numbers.last { return (last, at) }
    }
    return nil
  }

  mutating func nextProblem() async -> SourceProblem? {
    while let (signal, _) = await signals.next() {
      switch signal {
      case .unavailable(let problem): return problem
      case .fix(let fix, _): recordFix(fix)
      default: break
      }
    }
    return nil
  }

  private mutating func recordFix(_ fix: Fix) {
    // gpsd reports positions without a time until the first sentence with a date.
    guard fix.time != nil else { return }
    if let number = SyntheticTrack.number(of: fix) { numbers.append(number) } else { unknownFixes += 1 }
  }
}
